declare module "kit:*" {
  const text: string;
  export default text;
}
