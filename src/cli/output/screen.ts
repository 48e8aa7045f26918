/** Off a terminal, `columns` is infinite. */
export interface Screen {
  isTerminal: boolean;
  columns: number;
  paint: Paint;
}

/** Without color each returns its text. */
export interface Paint {
  bold: (text: string) => string;
  faint: (text: string) => string;
  accent: (text: string) => string;
  alarm: (text: string) => string;
  good: (text: string) => string;
  busy: (text: string) => string;
  chosen: (text: string) => string;
}

/** `width` applies only to a terminal. */
export async function openScreen(options: {
  isTerminal: boolean;
  width: number;
  color: boolean;
}): Promise<Screen> {
  return {
    isTerminal: options.isTerminal,
    columns: options.isTerminal ? options.width : Number.POSITIVE_INFINITY,
    paint: await loadPaint(options.color),
  };
}

/** The 16 basic colors follow the theme of the terminal. */
export async function loadPaint(color: boolean): Promise<Paint> {
  if (!color)
    return { bold: asIs, faint: asIs, accent: asIs, alarm: asIs, good: asIs, busy: asIs, chosen: asIs };
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: 1 });
  // Not `lines.map(chalk.bold)`: chalk would also print the index.
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

export function indentScreen(screen: Screen, indent: number): Screen {
  return { ...screen, columns: screen.columns - indent };
}

function asIs(text: string): string {
  return text;
}
