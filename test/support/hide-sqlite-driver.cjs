// Loaded before the program (`node --require`): better-sqlite3 is there, and its compiled part is not.
const Module = require("node:module");

const { _resolveFilename: resolve } = Module;

Module._resolveFilename = function resolveFilename(request, ...others) {
  if (/better_sqlite3\.node$/.test(request))
    throw Object.assign(new Error(`Cannot find module '${request}'`), { code: "MODULE_NOT_FOUND" });
  return resolve.call(this, request, ...others);
};
