/** Work on a small tenant ends before a user needs progress. */
export function everyHundred(
  show: (type: string, done: number) => void,
): (type: string, done: number) => void {
  return (type, done) => {
    if (done % 100 === 0) show(type, done);
  };
}
