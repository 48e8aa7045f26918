// A Chromium for tests, benchmarks, and pictures. Plain JavaScript, because programs without a test runner use it
// too.
import { execFile } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const require = createRequire(import.meta.url);

/**
 * Starts a Chromium: the program at DISPATCH_TEST_CHROMIUM, else the one that npm installs for Linux on x64, else one
 * on
 * the PATH. It resolves only local host names, so no page reaches other machines.
 * @returns {Promise<import("playwright-core").Browser>}
 */
export async function launchChromium() {
  const { env, executablePath } = await findChromium();
  // Import it here: it takes 200 ms to load, and some importers of this file never start a browser.
  const { chromium } = await import("playwright-core");
  try {
    const wholeEnv = { ...definedOf(process.env), ...env, FONTCONFIG_FILE: fontConfig };
    return await chromium.launch({ args, executablePath, env: wholeEnv });
  } catch (error) {
    throw new Error(`Chromium at ${executablePath} does not start. ${wayOn}`, { cause: error });
  }
}

/** Without a font, Chromium draws text with a width of 0, and filled fields stay empty. */
const fontConfig = fileURLToPath(new URL("fonts.conf", import.meta.url));

const wayOn =
  "Install a Chromium (on Debian: `apt-get install chromium`) and name its program in DISPATCH_TEST_CHROMIUM.";

/** Only settings that Playwright does not pass itself. */
const args = [
  // Continuous integration runs as root, where the sandbox fails. We trust the pages because they are ours.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
];

/** A program and the environment that it needs. */
async function findChromium() {
  const given = process.env.DISPATCH_TEST_CHROMIUM;
  if (given) return { executablePath: given, env: {} };
  if (process.platform === "linux" && process.arch === "x64") return unpackChromium();
  const executablePath = findOnPath(["chromium", "chromium-browser", "google-chrome", "chrome"]);
  if (executablePath === undefined) throw new Error(`There is no Chromium here. ${wayOn}`);
  return { executablePath, env: {} };
}

/**
 * Unpacks the package's Chromium once: some 200 MB in three seconds. The package also has libraries that a machine
 * may lack, but unpacks them only in a cloud function. So a separate process sets the environment of a cloud
 * function.
 */
async function unpackChromium() {
  const packageFolder = join(dirname(require.resolve("@sparticuz/chromium")), "../..");
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  const cache = join(packageFolder, "../../.cache/chromium");
  const folder = join(cache, version);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const making = mkdtempSync(join(cache, "making-"));
    const script = 'import("@sparticuz/chromium").then((loaded) => loaded.default.executablePath())';
    await promisify(execFile)(process.execPath, ["--eval", script], {
      cwd: packageFolder,
      env: { ...process.env, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x", TMPDIR: making },
    });
    moveInPlace(making, folder);
  }
  return {
    executablePath: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: join(folder, "al2023/lib") },
  };
}

/**
 * Moves the folder, unless another process unpacked it already.
 * @param {string} made
 * @param {string} folder
 */
function moveInPlace(made, folder) {
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** @param {readonly string[]} names */
function findOnPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => isExecutable(path));
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {NodeJS.ProcessEnv} environment */
function definedOf(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
}
