export interface LetterAddress {
  country: string;
  line_1: string;
  line_2?: string | null;
  line_3?: string | null;
  line_4?: string | null;
  locality: string;
  postcode: string;
  region: string;
}

/** On a letter abroad the last line has the country. No line is empty. */
export function toAddressLines(address: LetterAddress, { isAbroad = false } = {}): string[] {
  const { country, line_1, line_2, line_3, line_4, locality, postcode, region } = address;
  const town = `${locality}, ${region} ${postcode}`;
  return [line_1, line_2, line_3, line_4, isAbroad ? `${town}, ${country}` : town].flatMap(
    (line) => line || [],
  );
}
