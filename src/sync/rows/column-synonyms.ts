import type { ImportNoun } from "./row-kind.ts";

/** Lower-case letters and digits. `#` and `no.` mean number. */
export function toPlainName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/#|\b(?:no|num|nr|nbr)\b\.?/g, " number ")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** The names that offices use: field → plain names, the likeliest first. */
export function synonymsOf(noun: ImportNoun): Readonly<Record<string, readonly string[]>> {
  return synonyms[noun];
}

/** With and without an owner: `Ship To City`, `Job City`, `City`. */
function ofAddress(...names: string[]): string[] {
  const before = ["shipto", "ship", "delivery", "deliver", "service", "site", "job", "jobsite", ""];
  const after = ["physical", "street", "customer", "company", "billto", "billing", "mailing"];
  return [...before, ...after].flatMap((owner) => names.map((name) => `${owner}${name}`));
}

const customerNumbers = [
  "acctnumber",
  "acct",
  "accountnumber",
  "accountid",
  "customernumber",
  "custnumber",
].concat(["customerid", "custid", "custcode", "customercode", "clientnumber", "clientid"]);

const customerNames = ["customer", "customername", "custname", "company", "companyname", "account"].concat([
  "accountname",
  "client",
  "clientname",
  "business",
  "businessname",
  "billto",
  "soldto",
]);

const lines = ofAddress(
  "address",
  "address1",
  "addressline1",
  "fulladdress",
  "addr",
  "addr1",
  "street",
  "streetaddress",
);
const cities = ofAddress("city", "town", "citytown", "suburb");
const zips = ofAddress("zip", "zipcode", "zip5", "postalcode", "postcode", "zippostalcode", "zippostal");
const phones = ["phone", "phonenumber", "telephone", "telephonenumber", "tel", "mobile", "cell", "cellphone"];
const trucks = ["truck", "truckname", "trucknumber", "vehicle", "unit", "unitnumber"];
const notes = ["notes", "note", "comments", "comment", "remarks", "memo"];

const synonyms: Record<ImportNoun, Readonly<Record<string, readonly string[]>>> = {
  customers: {
    reference_number: [...customerNumbers, "reference", "ref", "refnumber"],
    name: [...customerNames, "fullname"],
    line_1: [...lines, "shipto"],
    line_2: ofAddress("address2", "addressline2", "addr2", "suite", "unit", "apt", "aptsuite"),
    locality: cities,
    region: ofAddress("state", "province", "region", "st", "stateprovince"),
    postcode: zips,
    country: ofAddress("country", "countrycode"),
    latitude: ["lat"],
    longitude: ["lng", "lon", "long"],
    contact_name: ["contact", "contactname", "contactperson", "attn", "attention", "primarycontact"],
    contact_number: [...phones, "contactphone", "mainphone", "officephone", "contactnumber"],
    contact_email: ["email", "emailaddress", "contactemail", "mail"],
    contact_fax: ["fax", "faxnumber"],
    note: notes,
    sales_rep: ["salesrep", "rep", "salesperson", "salesman", "accountmanager"],
    is_commercial: ["commercial"],
  },
  jobs: {
    reference_number: [
      "jobnumber",
      "ordernumber",
      "ticketnumber",
      "workordernumber",
      "wonumber",
      "jobid",
    ].concat(["orderid", "order", "ticket", "reference", "ref", "refnumber", "ponumber"]),
    customer_number: customerNumbers,
    customer: [...customerNames, "requestedby"],
    customer_phone: [...phones, "customerphone", "callerphone"],
    address: [...lines, "shipto", "site", "location"],
    address_locality: cities,
    address_postcode: zips,
    schedule_date: [
      "jobdate",
      "date",
      "scheduledate",
      "scheduled",
      "scheduledfor",
      "servicedate",
      "deliverydate",
    ].concat(["day", "shipdate", "requireddate"]),
    requested_on: ["orderdate", "ordered", "orderedon", "calledon", "dateordered", "bookedon"],
    desired_start_time: ["starttime", "start", "timefrom", "from", "earliest", "windowstart"],
    desired_end_time: ["endtime", "end", "timeto", "to", "until", "latest", "windowend"],
    time_window: ["time", "timewindow", "window", "timeslot", "deliverywindow"],
    type: ["jobtype", "service", "servicetype", "ordertype", "action", "what"],
    truck: trucks,
    driver: ["driver", "drivername"],
    dispatcher_notes: ["dispatchernotes", "dispatchnotes", "officenotes", ...notes],
    driver_notes: ["drivernotes", "instructions", "driverinstructions"],
    customer_notes: ["customernotes", "specialinstructions"],
    invoice_notes: ["invoicenotes", "billingnotes"],
    priority: ["prio"],
    desired_asset_desc: ["size", "containersize", "container", "binsize", "asset", "equipment"],
    asset_quantity: ["qty", "quantity"],
  },
  trucks: {
    name: trucks,
    notes,
    type: ["trucktype", "vehicletype"],
    weight: ["tareweight", "emptyweight", "tare"],
    driver: ["driver", "drivername"],
    out_of_service: ["outofservice", "inactive", "down"],
  },
  drivers: {
    name: ["driver", "drivername", "fullname", "employee", "employeename"],
    phone_number: phones,
    email: ["emailaddress", "mail"],
    address: lines,
    city: cities,
    state: ofAddress("state", "province", "st"),
    zip: zips,
    license_number: ["license", "licensenumber", "licence", "cdl", "cdlnumber", "driverslicense"],
    username: ["login", "user", "userid"],
    is_deactivated: ["deactivated", "inactive"],
  },
};
