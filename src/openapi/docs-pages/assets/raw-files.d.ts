/** The text of a file, which the build embeds. */
declare module "*?raw" {
  const text: string;
  export default text;
}
