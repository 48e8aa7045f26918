const colors = { 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79b8ff", 35: "#d2a8ff", 36: "#76e3ea" };
const prompt = "$ ";
/** Codes of colors (ECMA-48, SGR). */
const sgr = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`);

/** Draws a terminal with a text and its color codes. */
export async function drawTerminal(page, command, text) {
  const drawn = [
    [
      { text: prompt, style: { color: "#8b949e" } },
      { text: command, style: {} },
    ],
    ...text.split("\n").map(toParts),
  ];
  await page.evaluate((rows) => {
    const screen = document.createElement("pre");
    Object.assign(document.body.style, { background: "#0d1117", margin: "0" });
    Object.assign(screen.style, {
      color: "#e6edf3",
      display: "inline-block",
      font: "14px/1.4 'DejaVu Sans Mono', monospace",
      margin: "0",
      padding: "16px 20px",
    });
    for (const row of rows) {
      for (const { style, text } of row) {
        const part = document.createElement("span");
        part.textContent = text;
        Object.assign(part.style, style);
        screen.append(part);
      }
      screen.append("\n");
    }
    document.body.append(screen);
  }, drawn);
  return page.locator("pre").screenshot();
}

/** Splits a line into parts by style. */
function toParts(line) {
  const style = {};
  const parts = [];
  // Texts and codes alternate.
  for (const [index, part] of line.split(sgr).entries()) {
    if (index % 2 === 0) parts.push({ style: { ...style }, text: part });
    else for (const code of part.split(";")) turn(style, Number(code));
  }
  return parts.filter(({ text }) => text !== "");
}

function turn(style, code) {
  if (code === 0) for (const name of Object.keys(style)) delete style[name];
  if (code === 1) style.fontWeight = "bold";
  if (code === 2) style.opacity = "0.65";
  if (code === 22) {
    delete style.fontWeight;
    delete style.opacity;
  }
  if (code === 39) delete style.color;
  if (colors[code]) style.color = colors[code];
}
