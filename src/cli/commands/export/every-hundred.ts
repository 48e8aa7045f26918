/** Tells of every hundredth record: small tenants are done before anybody asks how far it is. */
export function everyHundred(
  show: (type: string, done: number) => void,
): (type: string, done: number) => void {
  return (type, done) => {
    if (done % 100 === 0) show(type, done);
  };
}
