/** The forms of a Boolean that is sent, as JSON Schema (OP-7); generators take the first for its type (OP-265). */
export const booleanInput = {
  description: "true or false; 0, 1 and these words as text, in any case, are accepted too",
  anyOf: [
    { type: "boolean" },
    { type: "integer", enum: [0, 1] },
    { type: "string", pattern: "^(?:[01]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$" },
  ],
};
