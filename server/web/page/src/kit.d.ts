declare module "kit:*" {
  const text: string;
  export default text;
}
/** Where the page finds the JavaScript kit. */
declare const KIT_ADDRESS: string;
