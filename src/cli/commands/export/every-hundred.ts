/** Shows every hundredth record only: a small tenant is done before anybody asks how far the work is. */
export function everyHundred(
  show: (type: string, done: number) => void,
): (type: string, done: number) => void {
  return (type, done) => {
    if (done % 100 === 0) show(type, done);
  };
}
