/** The part of bidi-js that `direction.ts` asks; the types that it brings fit bundlers only. */
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
