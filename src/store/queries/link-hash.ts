/** The secret of a sign-in link is stored as another kind of hash, so that it is not an access token. */
export const toLinkHash = (hash: string): string => `${linkMark}${hash}`;

export const linkMark = "link:";
