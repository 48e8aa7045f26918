import { startPage } from "../session/signed-in.tsx";
import { InspectPage } from "./inspect-page.tsx";

startPage("Inspector", InspectPage);
