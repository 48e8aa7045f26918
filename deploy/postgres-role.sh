#!/bin/sh
# Creates a role that owns its database but is no superuser, because a superuser bypasses row-level security.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v password="$DATABASE_PASSWORD" <<'SQL'
create role dispatch login nosuperuser nobypassrls password :'password';
create database dispatch owner dispatch;
SQL
