/** Only what `fonts.ts` uses of fontkit, pdfkit's font engine, which has no types. */
declare module "fontkit" {
  export interface Font {
    directory: { tables: Record<string, unknown> };
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): { path: { commands: readonly unknown[] } };
  }

  export interface FontCollection {
    fonts: readonly (Font & { postscriptName: string })[];
  }

  export function create(data: Uint8Array): Font | FontCollection;
}
