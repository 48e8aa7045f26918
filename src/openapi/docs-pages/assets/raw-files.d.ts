/** The text of a file, as it is: the build puts it into the program. */
declare module "*?raw" {
  const text: string;
  export default text;
}
