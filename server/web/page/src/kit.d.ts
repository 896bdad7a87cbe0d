declare module "kit:*" {
  const text: string;
  export default text;
}
/** The text of a chunk's styles. */
declare module "sheet:*" {
  const text: string;
  export default text;
}
/** Where the page finds the JavaScript kit. */
declare const KIT_ADDRESS: string;
