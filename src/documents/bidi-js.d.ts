/** Only what `direction.ts` uses. The package's own types work with bundlers only. */
declare module "bidi-js" {
  interface Bidi {
    getEmbeddingLevels(
      text: string,
      direction?: "ltr" | "rtl",
    ): { levels: Uint8Array; paragraphs: readonly { level: number }[] };
    getMirroredCharacter(character: string): string | null;
  }

  export default function createBidi(): Bidi;
}
