// Keeps what V8 compiled of the build, because compiling it anew is a fifth of what a short command takes: `jobs get`
// goes from 2.8 to 2.3 times `node -e 0`.
const fs = require("node:fs");
const Module = require("node:module");
const { homedir } = require("node:os");
const { dirname, join, resolve } = require("node:path");
const { Script, constants } = require("node:vm");

/**
 * Has the chunks of a folder loaded from a cache in the user's own cache folder, and puts there what it lacks when the
 * process ends. Node 22.1 and later brings this itself. Switched off by Node's own NODE_DISABLE_COMPILE_CACHE; where
 * the cache cannot be read or written everything is compiled as ever.
 */
exports.keepCompiled = function keepCompiled(chunks) {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  // Node knows of the chunks only what it compiled itself: coverage and source maps need that.
  if (NODE_DISABLE_COMPILE_CACHE || NODE_V8_COVERAGE || process.sourceMapsEnabled) return;
  if (process.execArgv.includes("--enable-source-maps")) return;
  // Node has begun already.
  if (NODE_COMPILE_CACHE && Module.enableCompileCache) return;
  try {
    const cache = join(ownCacheFolder(), `${process.version}-${process.arch}${flagsPart()}`);
    openPrivately(cache);
    if (Module.enableCompileCache) Module.enableCompileCache(cache);
    else cacheChunks(chunks, cache);
  } catch {
    // No home, a full disk, a folder of somebody else: nothing is lost but time.
  }
};

/** The places that operating systems have for this. */
function ownCacheFolder() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === "win32")
    return join(LOCALAPPDATA || join(homedir(), "AppData", "Local"), "dispatch-cli", "Cache");
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches", "dispatch-cli");
  return resolve(XDG_CACHE_HOME || join(homedir(), ".cache"), "dispatch-cli");
}

/** V8 refuses what it compiled under other flags: two who run the program in turns would replace each other's. */
function flagsPart() {
  if (process.execArgv.length === 0 && !process.env.NODE_OPTIONS) return "";
  return `-${require("node:v8").cachedDataVersionTag().toString(16)}`;
}

/** Makes the folder. Throws when others may write to it: what lies there is run as this user (think of sudo). */
function openPrivately(folder) {
  let facts = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!facts) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    facts = fs.lstatSync(folder);
  }
  if (!facts.isDirectory()) throw new Error(`${folder} is no folder.`);
  if (!process.getuid) return;
  if (facts.uid !== process.getuid() || (facts.mode & 0o022) !== 0)
    throw new Error(`Others may write to ${folder}.`);
}

/**
 * The chunks alone end in .cjs, so packages load as ever. A chunk's name holds the hash of what is in it, which V8 does
 * not compare; main.cjs has no such name.
 */
function cacheChunks(chunks, cache) {
  const missing = [];
  require.extensions[".cjs"] = (module, path) => {
    if (dirname(path) !== chunks || !/-[\w-]{8}\.cjs$/.test(path))
      return require.extensions[".js"](module, path);
    const file = join(cache, path.slice(chunks.length + 1));
    const known = readWhole(file);
    const script = new Script(head + fs.readFileSync(path, "utf8") + tail, {
      filename: path,
      columnOffset: -head.length,
      cachedData: known,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    // V8 refuses what another V8 or other flags made.
    if (!known || script.cachedDataRejected) missing.push({ file, script });
    const run = script.runInThisContext();
    run.call(module.exports, module.exports, Module.createRequire(path), module, path, chunks);
  };
  process.once("exit", () => {
    if (missing.length > 0) writeCache(missing, cache);
  });
}

const head = "(function (exports, require, module, __filename, __dirname) { ";
const tail = "\n});";

/** undefined for what is not there, or not whole. */
function readWhole(file) {
  try {
    const sealed = fs.readFileSync(file);
    const data = sealed.subarray(0, -sealBytes);
    return sealed.readInt32LE(data.length) === sealOf(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

const sealBytes = 4;

/**
 * V8 runs what it is given and looks at its length only. This finds pages that a power cut kept from the disk, as it
 * looks at four places of each; to wait for the disk would make a first command several times as long.
 */
function sealOf({ buffer, byteOffset, length }) {
  const words = new Int32Array(buffer, byteOffset, length >> 2);
  let seal = length;
  for (let at = 0; at < words.length; at += 256) seal = (Math.imul(seal, 31) + words[at]) | 0;
  return seal;
}

/** At the end, when V8 has compiled what such a command uses. A file gets its name only when it is whole. */
function writeCache(missing, cache) {
  try {
    for (const { file, script } of missing) {
      const draft = `${file}.${process.pid}.new`;
      const data = new Uint8Array(script.createCachedData());
      const seal = Buffer.alloc(sealBytes);
      seal.writeInt32LE(sealOf(data));
      fs.writeFileSync(draft, Buffer.concat([data, seal]), { flag: "wx", mode: 0o600 });
      fs.renameSync(draft, file);
    }
    removeOld(dirname(cache));
  } catch {
    // As in keepCompiled.
  }
}

const keptMs = 30 * 24 * 60 * 60 * 1000;

/** Earlier builds and versions of Node leave theirs behind; what is still in use is made again. */
function removeOld(folder) {
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && Date.now() - fs.statSync(path).mtimeMs > keptMs) fs.rmSync(path, { force: true });
  }
}
