/** A separate kind of hash, so that the secret of a sign-in link is not an access token. */
export const toLinkHash = (hash: string): string => `${linkMark}${hash}`;

export const linkMark = "link:";
