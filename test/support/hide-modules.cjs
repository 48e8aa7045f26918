// Loaded before the program (`node --require`): the modules that TEST_HIDDEN_MODULES names, a pattern, cannot be found.
const Module = require("node:module");

const { _resolveFilename: resolve } = Module;
const hidden = new RegExp(process.env.TEST_HIDDEN_MODULES);

Module._resolveFilename = function resolveFilename(request, ...others) {
  if (hidden.test(request))
    throw Object.assign(new Error(`Cannot find module '${request}'`), { code: "MODULE_NOT_FOUND" });
  return resolve.call(this, request, ...others);
};
