declare module "kit:*" {
  const text: string;
  export default text;
}
/** The text of a chunk's styles. */
declare module "sheet:*" {
  const text: string;
  export default text;
}
/** What the JavaScript kit declares. */
declare module "documentation:kit" {
  const documentation: import("./core/documentation.ts").Documentation;
  export default documentation;
}
/** Where the page finds the JavaScript kit. */
declare const KIT_ADDRESS: string;
/** Whether this is the script of an exported page. */
declare const SINGLE: boolean;
