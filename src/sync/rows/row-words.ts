/** What messages about a file of rows say of the user's choices: the command line has options, others have other words. */
export interface RowWords {
  /** What maps columns to fields. */
  map: string;
  /** A sentence: how to handle unknown columns. */
  onUnknownColumn: string;
  /** A sentence: what to do about a row whose key is empty. */
  onEmptyKey: string;
  /** How to handle a file that is not UTF-8, after "save it as UTF-8, or". */
  onWrongEncoding: string;
}
