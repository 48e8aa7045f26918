#!/bin/sh
# A plain role that owns its database: a superuser would pass row-level security, the second wall between tenants.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v password="$DATABASE_PASSWORD" <<'SQL'
create role dispatch login nosuperuser nobypassrls password :'password';
create database dispatch owner dispatch;
SQL
