/** Control characters, surrogate halves, and characters that reorder or hide text. */
export const unsafeCharacters =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;
