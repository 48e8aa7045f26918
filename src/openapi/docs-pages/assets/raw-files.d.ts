/** The text of a file, which the build includes in the program. */
declare module "*?raw" {
  const text: string;
  export default text;
}
