/** What text is drawn on: its size and its colors. Off a terminal it has no right edge. */
export interface Screen {
  isTerminal: boolean;
  columns: number;
  paint: Paint;
}

/** The few colours there are. Without colour each gives its text back. */
export interface Paint {
  bold: (text: string) => string;
  faint: (text: string) => string;
  accent: (text: string) => string;
  alarm: (text: string) => string;
  good: (text: string) => string;
  busy: (text: string) => string;
  /** What keys act on. */
  chosen: (text: string) => string;
}

/** Opens the screen that a stream is. `width` counts only on a terminal. */
export async function openScreen(options: {
  isTerminal: boolean;
  width: number;
  colour: boolean;
}): Promise<Screen> {
  return {
    isTerminal: options.isTerminal,
    columns: options.isTerminal ? options.width : Number.POSITIVE_INFINITY,
    paint: await loadPaint(options.colour),
  };
}

/** The colours; the 16 of every terminal, so that they follow its theme. */
export async function loadPaint(colour: boolean): Promise<Paint> {
  if (!colour)
    return { bold: asIs, faint: asIs, accent: asIs, alarm: asIs, good: asIs, busy: asIs, chosen: asIs };
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: 1 });
  // Chalk joins all its arguments, so that `lines.map(chalk.bold)` would print the index as well.
  return {
    bold: (text) => chalk.bold(text),
    faint: (text) => chalk.dim(text),
    accent: (text) => chalk.cyan(text),
    alarm: (text) => chalk.red.bold(text),
    good: (text) => chalk.green(text),
    busy: (text) => chalk.yellow(text),
    chosen: (text) => chalk.inverse(text),
  };
}

/** The same screen, `indent` columns narrower. */
export function indentScreen(screen: Screen, indent: number): Screen {
  return { ...screen, columns: screen.columns - indent };
}

function asIs(text: string): string {
  return text;
}
