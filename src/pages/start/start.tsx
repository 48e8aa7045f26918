import { startPage } from "../session/signed-in.tsx";
import { StartPage } from "./start-page.tsx";

startPage("dispatch-cli", StartPage);
