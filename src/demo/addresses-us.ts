/*!
 * Addresses in the United States, public domain, from the OpenAddresses project. Sources:
 * City of Haddam (CT); Ciy of Hartford (CT); City of Lyme (CT); City of Manchester (CT); City of Watertown (CT);
 * City of Avon (CT); Town of Fairfield (CT); City of Groton (CT); Office of Geographic Information (MassGIS),
 * Commonwealth of Massachusetts, MassIT (MA); VT Enhanced 911 Board, VCGI (VT); City of Huntsville (AL); City of
 * Montgomery (AL); Shelby County (AL); Talladega County (AL); City of Fayetteville (AR); Arkansas Geographic
 * Information Office (AR); City of Washington (DC); Bay County (FL); Brevard County (FL); Charlotte County (FL);
 * Citrus County (FL); Clay County (FL); Highlands County, FL (FL); Hillsborough County (FL); City of Savannah
 * (GA); Gordon County (GA); Muscogee County (GA); Sumter County (GA); Metro Louisville, LOJIC partners (KY); Anne
 * Arundel County (MD); City of Baltimore (MD); Frederick County (MD); Oklahoma and Logan Counties - Association of
 * Central Oklahoma Governments (OK); Kern, Cleveland, Canadian, Logan Counties (OK); City of Nashville (TN);
 * Cooke,Fannin,Grayson Counties - Texoma Council of Governments (TX); Municipality of Anchorage (AK); Copyright ©
 * 2015 Kenai Peninsula Borough (AK); Matanuska-Susitna Borough (AK); City of Glendale (AZ); City of Mesa (AZ);
 * Alameda County (CA); Amador County (CA); City of Berkeley (CA); Butte County (CA); City of Bakersfield (CA);
 * City of Carson (CA); City of Cupertino (CA); City of Hayward and Fairview. Licensed for Public Use (CA); City of
 * Mountain View (CA); City of Orange (CA); Contra Costa County (CA); El Dorando County (CA); Fresno County (CA);
 * Humboldt County (CA); Kern County (CA); Kings County (CA); Lake County (CA); Lassen County (CA); Los Angeles
 * County (CA); Madera County (CA); Marin County (CA); Merced County (CA); Mono County (CA); Monterey County (CA);
 * Napa County (CA); County of Nevada, California (CA); Orange County (CA); City of Palo Alto (CA); County of
 * Placer (CA); Secramento County (CA); San Bernardino County (CA); San Diego Geographic Information Source - JPA
 * (CA); San Joaquin County (CA); San Luis Obispo County (CA); San Mateo County (CA); Santa Barbara County (CA);
 * Santa Clara County (CA); Santa Cruz County (CA); Shasta County (CA); Solano County (CA); Sonoma County (CA);
 * Stanislaus County (CA); Tuolumne County (CA); Yolo County (CA); Yuba County (CA); Arapahoe County (CO);
 * Archuleta County (CO); City of Arvada (CO); City of Aurora (CO); City of Boulder (CO); City of Fort Collins
 * (CO); City of Greeley (CO); City of Loveland (CO); City of Westminster (CO); Gilpin County (CO); Gunnison County
 * (CO); Jefferson County (CO); Larimer County (CO); Mesa County (CO); Pitkin County (CO); Pubelo County (CO); San
 * Miguel County (CO); City of Honolulu (HI).
 */

/** A real address with its place on the map; line_2 is empty where there is none. */
export interface UsAddress {
  latitude: number;
  line_1: string;
  line_2: string;
  locality: string;
  longitude: number;
  postcode: string;
  region: string;
}

/** 499 addresses that geocode. Six of Vermont came without a city and have the post town of their ZIP code. */
export function readUsAddresses(): UsAddress[] {
  return rows.split("\n").map(toAddress);
}

function toAddress(row: string): UsAddress {
  const [line_1 = "", line_2 = "", locality = "", region = "", postcode = "", latitude, longitude] =
    row.split("|");
  return {
    latitude: Number(latitude),
    line_1,
    line_2,
    locality,
    longitude: Number(longitude),
    postcode,
    region,
  };
}

// line_1|line_2|locality|region|postcode|latitude|longitude
const rows = `1745 T Street Southeast||Washington|DC|20020|38.867033|-76.979235
6007 Applegate Lane||Louisville|KY|40219|38.134301|-85.649851
560 Penstock Drive||Grass Valley|CA|95945|39.213076|-121.077583
150 Carter Street||Manchester|CT|06040|41.76556|-72.473091
2721 Lindsay Avenue||Louisville|KY|40206|38.263793|-85.700243
18 Densmore Drive||Essex|VT|05452|44.492953|-73.101883
637 Britannia Drive||Vallejo|CA|94591|38.10477|-122.193849
5601 West Crocus Drive||Glendale|AZ|85306|33.615247|-112.179737
5403 Illinois Avenue||Nashville|TN|37209|36.157077|-86.853827
8821 West Myrtle Avenue||Glendale|AZ|85305|33.54043|-112.248839
2203 7th Street Road||Louisville|KY|40208|38.218107|-85.779006
6463 Vrain Street||Arvada|CO|80003|39.814056|-105.046913
87 Horseshoe Drive||West Windsor|VT|05037|43.473179|-72.496753
60 Desousa Drive||Manchester|CT|06040|41.740926|-72.56191
4 Old Colony Way||Yarmouth|MA|02664|41.697168|-70.189992
314 South 17th Street||Nashville|TN|37206|36.171908|-86.740228
1649 Timberridge Court||Fayetteville|AR|72704|36.084563|-94.206082
5461 West Shades Valley Drive||Montgomery|AL|36108|32.296422|-86.342803
629 Debbie Drive||Nashville|TN|37076|36.208114|-86.586212
22572 Toreador Drive||Salinas|CA|93908|36.602449|-121.699071
3034 Mica Street||Fayetteville|AR|72704|36.080793|-94.206645
3729 East Mission Boulevard||Fayetteville|AR|72703|36.091935|-94.106542
5114 Greentree Drive||Nashville|TN|37211|36.061854|-86.738508
3466 Southview Avenue||Montgomery|AL|36111|32.341227|-86.284686
1513 Cathy Street||Savannah|GA|31415|32.067416|-81.125331
600 West 19th Avenue|APT B|Anchorage|AK|99503|61.203115|-149.894107
1208 Elkader Court North||Nashville|TN|37013|36.080049|-86.601161
210 Green Road||Manchester|CT|06042|41.79091|-72.511951
49548 Road 200||O'Neals|CA|93645|37.153463|-119.648192
81 Seaton Place Northwest||Washington|DC|20001|38.91495|-77.011703
1267 Martin Street|#203|Nashville|TN|37203|36.14049|-86.769518
7431 Candace Way|#1|Louisville|KY|40214|38.142768|-85.771713
1407 Walden Court||Crofton|MD|21114|39.019306|-76.660653
5906 Milton Avenue||Deale|MD|20751|38.784451|-76.541255
74 Springfield Street|B|Agawam|MA|01001|42.089492|-72.629756
2905 Stonebridge Court||Norman|OK|73071|35.183319|-97.402105
20930 Todd Valley Road||Foresthill|CA|95631|38.989466|-120.883108
5928 West Mauna Loa Lane||Glendale|AZ|85306|33.62049|-112.18702
802 Madison Street Northwest||Washington|DC|20011|38.958238|-77.024429
2811 Battery Place Northwest||Washington|DC|20016|38.925625|-77.098265
210 Lacross Lane||Westmore|VT|05860|44.771005|-72.048664
2010 Rising Hill Drive||Norman|OK|73071|35.177281|-97.411869
388 East Main Street||Middlebury|VT|05753|43.972795|-73.102319
450 Kinhawk Drive||Nashville|TN|37211|36.030927|-86.719491
131 Westerly Street||Manchester|CT|06042|41.790681|-72.535597
308 Woodleaf Court||Glen Burnie|MD|21061|39.142593|-76.623844
8502 Madrone Avenue||Louisville|KY|40258|38.128641|-85.867804
23 Sable Run Lane||Methuen|MA|01844|42.759847|-71.157721
716 Waller Road||Brentwood|TN|37027|35.998892|-86.696529
416 McIver Street||Nashville|TN|37211|36.10436|-86.744116
1508 Massachusetts Avenue Southeast||Washington|DC|20003|38.887255|-76.983185
5615 West Villa Maria Drive||Glendale|AZ|85308|33.650988|-112.180624
3162 Martin Luther King Junior Boulevard|#2|Fayetteville|AR|72704|36.052333|-94.205699
5306 Ritchie Highway||Baltimore|MD|21225|39.221978|-76.614183
109 Summit Street||Burlington|VT|05401|44.472975|-73.202657
816 West 19th Avenue||Anchorage|AK|99503|61.203221|-149.898655
172 Alburg Springs Road||Alburgh|VT|05440|44.995827|-73.220154
159 Downey Drive|A|Manchester|CT|06040|41.780013|-72.575431
125 John Street||Santa Cruz|CA|95060|36.950901|-122.046881
1101 Lotus Avenue||Glen Burnie|MD|21061|39.191982|-76.652566
8376 Albacore Drive||Pasadena|MD|21122|39.110409|-76.465658
491 Arabian Way||Grand Junction|CO|81504|39.07549|-108.474785
12245 West 71st Place||Arvada|CO|80004|39.826708|-105.13668
80 North East Street|#4|Holyoke|MA|01040|42.204122|-72.59777
4695 East Huntsville Road||Fayetteville|AR|72701|36.047198|-94.094629
310 Timrod Road||Manchester|CT|06040|41.756758|-72.493501
1364 Capri Drive||Panama City|FL|32405|30.220728|-85.680879
132 Laurel Green Court||Savannah|GA|31419|32.024308|-81.24681
6657 West Rose Garden Lane||Glendale|AZ|85308|33.676018|-112.201658
519 West 75th Avenue|#APT 000003|Anchorage|AK|99518|61.152887|-149.889133
31353 Santa Elena Way||Union City|CA|94587|37.593981|-122.059762
8398 West Denton Lane||Glendale|AZ|85305|33.515353|-112.240812
700 Winston Place||Anchorage|AK|99504|61.215882|-149.737337
232 Maine Avenue||Panama City|FL|32401|30.152703|-85.632071
1 Kempf Drive||Easton|MA|02375|42.050599|-71.080294
5811 Crossings Boulevard||Nashville|TN|37013|36.037085|-86.641373
5108 Franklin Street||Savannah|GA|31405|32.034987|-81.121928
913 Fallview Trail||Nashville|TN|37211|36.024191|-86.718305
270 Chrissy's Court||Bristol|VT|05443|44.171004|-73.106562
130 Old Route 103||Chester|VT|05143|43.224335|-72.542274
10826 Pointe Royal Drive||Bakersfield|CA|93311|35.293001|-119.122591
74 Ranch Drive||Montgomery|AL|36109|32.383322|-86.235124
6601 West Ocotillo Road||Glendale|AZ|85301|33.53433|-112.201125
19416 Barclay Road||Castro Valley|CA|94546|37.70382|-122.091054
1347 Blackwalnut Court||Annapolis|MD|21403|38.936881|-76.475823
1770 Colony Way||Fayetteville|AR|72704|36.0867|-94.229754
165 Saint John Street||Manchester|CT|06040|41.776217|-72.541055
2409 Research Boulevard||Fort Collins|CO|80526|40.554586|-105.087852
1903 Bashford Manor Lane||Louisville|KY|40218|38.197706|-85.675288
8315 Surf Drive||Panama City Beach|FL|32408|30.163458|-85.785449
3301 Old Muldoon Road||Anchorage|AK|99504|61.190835|-149.73401
8800 Cordell Circle|#APT 000003|Anchorage|AK|99502|61.140931|-149.943782
117 East Cook Avenue||Anchorage|AK|99501|61.230336|-149.883795
6231 North 67th Avenue|#241|Glendale|AZ|85301|33.527967|-112.202255
8505 Waters Avenue|#66|Savannah|GA|31406|31.990188|-81.107067
7 Underwood Place Northwest||Washington|DC|20012|38.969351|-77.009722
21950 Arnold Center Road||Carson|CA|90810|33.827271|-118.230283
1427 South Carolina Avenue Southeast||Washington|DC|20003|38.886615|-76.984535
1420 Turtleback Trail||Panama City|FL|32413|30.281084|-85.967717
6990 Pierson Street||Arvada|CO|80004|39.824425|-105.122103
376 North Williams Drive||Fayetteville|AR|72701|36.067997|-94.142563
3617 Menlo Court||Montgomery|AL|36116|32.307397|-86.260011
711 Parker Street||East Longmeadow|MA|01028|42.082262|-72.488113
8521 Crystal Street||Anchorage|AK|99502|61.143426|-149.94665
1622 Edgar D Nixon Avenue||Montgomery|AL|36104|32.356384|-86.312891
1608 Gales Street Northeast||Washington|DC|20002|38.898554|-76.981344
122 East Hayes Street||Norman|OK|73069|35.232121|-97.445053
5144 Cattail Court||Fayetteville|AR|72701|36.041153|-94.087419
131 Kent Drive||Manchester|CT|06042|41.803084|-72.492786
2313 Vegas Avenue||Castro Valley|CA|94546|37.689189|-122.076775
5420 Sunset Avenue||Panama City Beach|FL|32408|30.145603|-85.755095
242 North Ash Street||Fruita|CO|81521|39.161544|-108.725378
38676 Greenwich Circle||Fremont|CA|94536|37.562256|-121.976451
2426 East Onyx Trail|#6|Fayetteville|AR|72701|36.065707|-94.127612
110 Seaton Place Northwest||Washington|DC|20001|38.91467|-77.012647
5385 Iris Street||Arvada|CO|80002|39.794498|-105.106056
5628 West Tonopah Drive||Glendale|AZ|85308|33.671095|-112.181095
65 Bay Drive||Annapolis|MD|21403|38.937493|-76.456387
7401 North 61st Drive||Glendale|AZ|85301|33.545001|-112.191417
8 Watkins Road||Milton|VT|05468|44.602881|-73.176893
2209 June Drive||Nashville|TN|37214|36.16848|-86.695241
1840 Nobel Place||Louisville|KY|40216|38.198892|-85.809013
2622 Martin Luther King Junior Boulevard||Fayetteville|AR|72704|36.053922|-94.197301
4 Glen Circle||Glen Burnie|MD|21060|39.157751|-76.606334
7529 West 72nd Avenue|#4|Arvada|CO|80003|39.827613|-105.07993
10996 Largo Drive||Savannah|GA|31419|31.99178|-81.143668
2027 North Shannon Drive|#5|Fayetteville|AR|72703|36.089262|-94.17333
154 Boca Lagoon Drive||Panama City Beach|FL|32408|30.171012|-85.775011
3311 Wiley Post Loop||Anchorage|AK|99517|61.186865|-149.946288
5055 West 58th Avenue||Arvada|CO|80002|39.802417|-105.050512
3228 Chettenham Drive||Rancho Cordova|CA|95670|38.577813|-121.301333
1901 North Midwest Boulevard||Edmond|OK|73034|35.67413|-97.390584
1536 North Main Street||Salinas|CA|93906|36.712221|-121.652248
33 Linscott Road||Hingham|MA|02043|42.225739|-70.882867
1732 27th Avenue||Oakland|CA|94601|37.783431|-122.228238
22 Gallatin Street Northeast||Washington|DC|20011|38.952637|-77.008099
8125 Glynnwood Drive||Montgomery|AL|36117|32.341844|-86.14093
2139 Glynnwood Drive||Savannah|GA|31404|32.021538|-81.06861
14 School Street||Medway|MA|02053|42.141711|-71.395014
264 Crest Drive||Soldotna|AK|99669|60.497608|-151.080848
307 Joel Street||Pooler|GA|31322|32.123265|-81.24991
188 River Road||Essex|VT|05452|44.478846|-73.058294
1643 Oxford Street|R C|Berkeley|CA|94709|37.877894|-122.266436
5545 Saddlewood Lane||Brentwood|TN|37027|36.026888|-86.757663
26466 Mockingbird Lane||Hayward|CA|94544|37.641026|-122.086427
4840 Reservoir Road Northwest||Washington|DC|20007|38.915893|-77.096287
599 Cambridge Street|#303|Cambridge|MA|02141|42.372052|-71.086109
584 Rural Hill Road||Nashville|TN|37217|36.089291|-86.621854
10262 West 59th Avenue|#1|Arvada|CO|80004|39.803718|-105.111974
945 South 5th Street|#1020|Louisville|KY|40203|38.240235|-85.760311
2543 The Meadows||Montgomery|AL|36116|32.3463|-86.218538
153 Atlantic Avenue|#6|Salisbury|MA|01952|42.83391|-70.815753
9 Brooklyn Street||Swanton|VT|05488|44.924599|-73.128094
5722 8th Street Northwest||Washington|DC|20011|38.959305|-77.024463
8700 Seaton Boulevard||Montgomery|AL|36116|32.337868|-86.173159
1004 Bellflower Street||Livermore|CA|94551|37.710745|-121.732765
4738 Mallard Common||Fremont|CA|94555|37.566644|-122.044434
875 Latouche Street|#APT 001010|Anchorage|AK|99501|61.213253|-149.860824
4940 Fuller Road||Montgomery|AL|36110|32.42936|-86.216835
5754 Belleau Drive||Montgomery|AL|36117|32.394398|-86.203138
1403 Lincoln Street||Savannah|GA|31401|32.061372|-81.094822
140 South Hill Avenue|#305|Fayetteville|AR|72701|36.061874|-94.169202
642 South 2nd Street|#608|Louisville|KY|40202|38.247259|-85.754919
6473 Zephyr Street||Arvada|CO|80004|39.814341|-105.085116
4250 North Valley Lake Drive|#8|Fayetteville|AR|72703|36.127906|-94.121807
565 North Lakeshore Drive||Panama City Beach|FL|32413|30.246868|-85.918511
5514 West Wedington Drive|#3|Fayetteville|AR|72704|36.079411|-94.240031
1909 Wainwright Avenue||Panama City|FL|32405|30.183868|-85.722174
4525 West Frier Drive||Glendale|AZ|85301|33.548873|-112.1566
201 West Montgomery Cross Road|#170|Savannah|GA|31406|31.999614|-81.13121
915 Heath Drive||Montgomery|AL|36108|32.363883|-86.333247
95 Briarwood Drive||Manchester|CT|06040|41.745751|-72.542544
69 Washington Street||Manchester|CT|06042|41.787125|-72.520831
2900 North Western Avenue||Edmond|OK|73012|35.687568|-97.532273
7841 West Kristal Way||Glendale|AZ|85308|33.658804|-112.228834
361 Parmley Lane||Nashville|TN|37207|36.244613|-86.819772
6120 Southeast 84th Street||Oklahoma City|OK|73135|35.380836|-97.41582
9428 North 65th Drive||Glendale|AZ|85302|33.571222|-112.20045
11 Meeting Place Circle||Boxford|MA|01921|42.694652|-71.000853
4438 Maine Avenue||Baldwin Park|CA|91706|34.093409|-117.959953
65 Jones Lane||Montevallo|AL|35115|33.096851|-86.846577
3140 Commander Drive||Louisville|KY|40220|38.215781|-85.653981
107 Guaymas Place||Davis|CA|95616|38.567048|-121.746046
6114 West Glenn Drive|#1|Glendale|AZ|85301|33.540145|-112.191272
622 Thomas Street||Woodland|CA|95776|38.672731|-121.76065
127 Grand Heron Drive||Panama City|FL|32407|30.189702|-85.808411
3504 East 16th Avenue||Anchorage|AK|99508|61.205895|-149.815862
1230 Stafford Drive||Montgomery|AL|36117|32.32403|-86.148401
6007 Yarrow Street|H|Arvada|CO|80004|39.806211|-105.084446
632 Belmar Drive||Edmond|OK|73025|35.701602|-97.491263
1515 Chandlee Avenue||Panama City|FL|32405|30.176365|-85.666253
10632 Admiral Court||Oklahoma City|OK|73162|35.578862|-97.627073
11655 West 81st Avenue||Arvada|CO|80005|39.843568|-105.129758
3500 Blanchard Drive Southwest||Washington|DC|20032|38.838893|-77.020111
2755 Country Drive|#244|Fremont|CA|94536|37.557882|-121.986823
1850 Berryhill Place||Montgomery|AL|36117|32.352755|-86.168587
58 North U.S.A Drive||Fayetteville|AR|72701|35.994914|-94.185867
8785 Ellis Court||Arvada|CO|80005|39.853725|-105.158861
1636 Briarview Court||Severn|MD|21144|39.125396|-76.704015
12 Knox Street||Manchester|CT|06040|41.774166|-72.527697
425 Middle Turnpike East||Manchester|CT|06040|41.784777|-72.503548
2017 North Hartford Drive||Fayetteville|AR|72701|36.088205|-94.10749
5900 Upland Road||Brooklyn Park|MD|21225|39.213888|-76.619251
9331 Edison Road||Lithia|FL|33547|27.86851|-82.073912
1810 Orchard Place||Anchorage|AK|99502|61.145912|-149.913426
145 Grau Drive||Fremont|CA|94536|37.582453|-121.994476
3959 Fairlands Drive||Pleasanton|CA|94588|37.6992|-121.87037
3613 East 18th Avenue||Anchorage|AK|99508|61.204853|-149.813552
1275 South Holland Drive||Fayetteville|AR|72704|36.051782|-94.226855
109 Cambridge Station Road||Louisville|KY|40223|38.244527|-85.569128
2107 Elfen Glen|Apt B|Van Buren|AR|72956|35.469752|-94.364987
8522 Ingalls Circle||Arvada|CO|80003|39.852859|-105.062978
1809 Cedar Drive||Severn|MD|21144|39.139311|-76.72029
1376 Oakland Avenue|#1|Fayetteville|AR|72703|36.080981|-94.172549
4306 Bylsma Circle||Panama City|FL|32404|30.223294|-85.589715
233 Buckland Hills Drive||Manchester|CT|06042|41.810068|-72.545366
7701 Southwest 104th Street||Oklahoma City|OK|73169|35.364198|-97.647535
14003 Crossbranch Court||Louisville|KY|40245|38.242033|-85.489885
19590 East Batavia Drive||Aurora|CO|80011|39.742089|-104.758115
6424 Simms Street|#71|Arvada|CO|80004|39.813344|-105.128324
718 Dutchmans Court||Nashville|TN|37076|36.204885|-86.599475
8496 Isles Court||Pasadena|MD|21122|39.111297|-76.467049
100 East Joyce Boulevard|#110|Fayetteville|AR|72703|36.125341|-94.155163
9036 Calico Court||Hesperia|CA|92344|34.414491|-117.375403
2723 East Joyce Boulevard||Fayetteville|AR|72703|36.119414|-94.122295
90 Via Verde||San Lorenzo|CA|94580|37.67869|-122.117142
1015 Castle Road||Edmond|OK|73034|35.665019|-97.466045
2787 West Blackstone Crossing||Fayetteville|AR|72704|36.060898|-94.199346
3555 Alamosa Drive||Anchorage|AK|99502|61.142316|-149.945475
6231 North 59th Avenue|#35|Glendale|AZ|85301|33.52853|-112.186074
311 South Panama Street||Montgomery|AL|36107|32.376833|-86.274161
3313 Daisy Trail||Nashville|TN|37013|36.076186|-86.601138
5436 Dorbrandt Street|#APT 000002|Anchorage|AK|99518|61.170902|-149.904782
553 South Arlington Road||Orange|CA|92869|33.779484|-117.820383
615 Q Street Northwest||Washington|DC|20001|38.911312|-77.020681
457 Mountain Village Boulevard|#320-3|Mountain Village|CO|81435|37.93323|-107.851573
144 Lauderdale Street||Montgomery|AL|36116|32.309978|-86.259716
2 Ambelwood Way||Savannah|GA|31411|31.913839|-81.07298
4113 Holiday Drive||Panama City|FL|32408|30.154868|-85.770998
2001 Van Hoose Drive||Fayetteville|AR|72701|36.039421|-94.065534
9457 Winfield Place||Montgomery|AL|36117|32.341347|-86.148678
1120 Mitchell Young Road||Montgomery|AL|36108|32.327464|-86.440116
12816 West 65th Way||Arvada|CO|80004|39.814178|-105.142627
10 Erick Road|#47|Mansfield|MA|02048|42.032505|-71.177186
481 East Redbud Lane||Fayetteville|AR|72703|36.103899|-94.151128
320 Northwest 22nd Street||Oklahoma City|OK|73103|35.491908|-97.518431
33 South Hill Avenue|#306|Fayetteville|AR|72701|36.06196|-94.169777
355 Gillette Road||Nashville|TN|37211|36.061143|-86.708233
151 Main Street||Savannah|GA|31408|32.113199|-81.148934
545 Tracey Drive||Panama City|FL|32404|30.135425|-85.557303
3 Southerberry Drive||Milton|VT|05468|44.623225|-73.132663
736 Sicard Street Southeast||Washington|DC|20003|38.872904|-76.994953
6214 Herzog Street||Oakland|CA|94608|37.845578|-122.28252
1160 North College Avenue|#2|Fayetteville|AR|72703|36.078548|-94.156627
5843 West McLellan Road||Glendale|AZ|85301|33.53309|-112.185709
1452 55th Avenue|B|Oakland|CA|94621|37.767671|-122.202326
4255 Tanager Common||Fremont|CA|94555|37.573889|-122.046026
13426 West Rovey Avenue||Litchfield Park|AZ|85340|33.522973|-112.34802
195 Nursery Street|#D10|Springfield|MA|01104|42.117841|-72.589229
126 Marjorie Lane|C|Manchester|CT|06042|41.807326|-72.518829
22 Charnock Street|#2|Beverly|MA|01915|42.55227|-70.876549
817 25th Street Northwest||Washington|DC|20037|38.900077|-77.053066
2552 Massachusetts Avenue Northwest||Washington|DC|20008|38.916546|-77.057323
1711 Lore Road|#APT 000106|Anchorage|AK|99507|61.151953|-149.851149
19091 Northeast 23rd Street||Harrah|OK|73045|35.493447|-97.193078
8318 North 57th Drive||Glendale|AZ|85302|33.557537|-112.183238
7256 West 84th Way|#918|Arvada|CO|80003|39.850691|-105.076739
706 Seagrove Road||Glen Burnie|MD|21060|39.163384|-76.609205
2318 Camryns Crossing||Panama City|FL|32405|30.221926|-85.6242
968 Virginia Avenue||Olivehurst|CA|95961|39.102242|-121.581218
416 South University Boulevard||Norman|OK|73069|35.215351|-97.446319
137 Gazebo East Drive||Montgomery|AL|36117|32.379351|-86.204074
10723 Colonial Woods Court||Louisville|KY|40223|38.249644|-85.557177
119 Matthew Lane||Nashville|TN|37215|36.116636|-86.809558
3142 West Finger Road||Fayetteville|AR|72701|36.042837|-94.205309
4 Elm Street||Windsor|VT|05089|43.476997|-72.398925
78 School Street||Woburn|MA|01801|42.506877|-71.15299
19020 North 68th Avenue||Glendale|AZ|85308|33.657404|-112.206204
2849 Quail Drive||Fayetteville|AR|72704|36.095294|-94.200363
2456 22nd Avenue||Greeley|CO|80631|40.397153|-104.713982
200 Boulder Road||Manchester|CT|06040|41.779208|-72.494963
11150 Sun Valley Drive||Oakland|CA|94605|37.752039|-122.11822
505 Southeast 32nd Street||Oklahoma City|OK|73129|35.432506|-97.503274
1025 West 19th Street|#UNIT 1-C|Panama City|FL|32405|30.182529|-85.676771
6725 Pamela Court||Montgomery|AL|36116|32.334546|-86.2035
4714 Narrow Lane Road||Montgomery|AL|36116|32.314073|-86.281967
11 Proctor Circle||Peabody|MA|01960|42.535503|-70.953384
10508 Kovats Court||Louisville|KY|40223|38.233038|-85.569546
3179 18th Street Northwest||Washington|DC|20010|38.931271|-77.041298
3194 Bladensburg Road Northeast||Washington|DC|20018|38.930136|-76.959298
260 Rio Del Mar Boulevard|##14|Aptos|CA|95003|36.967915|-121.902513
1040 West 27th Avenue|#APT 000401|Anchorage|AK|99503|61.195892|-149.901984
42 Lake Lane||Westmore|VT|05860|44.779541|-72.068289
3718 Bay Tree Road||Lynn Haven|FL|32444|30.205726|-85.63442
3408 Bellisima Place|#204|Louisville|KY|40245|38.285702|-85.502306
4109 General Bate Drive||Nashville|TN|37204|36.099427|-86.787756
5329 A Street||Greeley|CO|80634|40.4347|-104.77028
88 Shute Street|#1|Everett|MA|02149|42.419257|-71.046918
480 Keene Road||Walden|VT|05836|44.487952|-72.282326
4 Cutting Avenue||Worcester|MA|01606|42.307664|-71.791801
275 South 40th Street||Boulder|CO|80305|39.988864|-105.247011
1189 Northwest End Avenue|#D3|Fayetteville|AR|72703|36.079389|-94.196572
25 Cliffside Drive|D|Manchester|CT|06042|41.795052|-72.487622
2515 60th Avenue||Oakland|CA|94605|37.770535|-122.190745
2057 Lucas Street||Montgomery|AL|36107|32.393447|-86.276681
386 Daniels Road||New Haven|VT|05472|44.114323|-73.191116
9805 Meadow Vale Drive||Louisville|KY|40242|38.281955|-85.571821
8 Village Circle||Randolph|VT|05060|43.927687|-72.65563
1011 San Jose Street||San Leandro|CA|94577|37.729563|-122.147074
2505 Walker Lane||Nashville|TN|37207|36.212512|-86.806625
11225 West 79th Drive||Arvada|CO|80005|39.840784|-105.124533
1907 18th Avenue South||Nashville|TN|37212|36.134703|-86.797377
16 Conway Street||Shelburne Falls|MA|01370|42.602264|-72.741001
20375 Wisteria Street||Castro Valley|CA|94546|37.696683|-122.085865
6408 Fern Crest Road||Louisville|KY|40291|38.154488|-85.612144
175 Creek Road||Castleton|VT|05735|43.6056|-73.233674
2531 Prestwick Avenue||Concord|CA|94519|37.996604|-122.028075
1002 Highland Avenue||Louisville|KY|40204|38.237158|-85.736736
2927 Leatherwood Drive||Nashville|TN|37214|36.156413|-86.655341
8467 Chase Drive||Arvada|CO|80003|39.851766|-105.071498
8556 Nelson Court||Arvada|CO|80005|39.850965|-105.117879
122 Summer Street|#1|Medford|MA|02155|42.415648|-71.116886
12061 Johns Road|#APT 000002|Anchorage|AK|99515|61.111453|-149.87809
8358 WB&A Road||Severn|MD|21144|39.108962|-76.686688
43 Henderson Avenue||Savannah|GA|31406|31.979379|-81.06062
347 Brewer Drive||Nashville|TN|37211|36.054592|-86.708157
2765 North Barcelona Avenue||Fayetteville|AR|72703|36.102026|-94.15365
5311 Chenoweth Park Lane||Louisville|KY|40291|38.168051|-85.571491
6398 Jellison Way||Arvada|CO|80004|39.811849|-105.112197
604 Northwest 118th Street||Oklahoma City|OK|73114|35.590256|-97.523444
37 Rushforde Drive||Manchester|CT|06040|41.738226|-72.538398
5434 West Beck Lane||Glendale|AZ|85306|33.626614|-112.176412
1516 Ringe Drive||Severn|MD|21144|39.094173|-76.684233
3701 Lake Towne Drive||Nashville|TN|37013|36.068871|-86.612042
20250 North 67th Avenue|#2143|Glendale|AZ|85308|33.670536|-112.204472
62 Prospect Avenue|#1|Quincy|MA|02170|42.261576|-71.020522
25 Morton Street|#216|Quincy|MA|02169|42.244509|-71.021176
8202 4 Winds Drive|#3|Lyndon|KY|40222|38.265453|-85.602168
513 Habberton Road||Fayetteville|AR|72703|36.107299|-94.053033
1960 Sigfrid Court||Annapolis|MD|21401|38.998796|-76.564554
663 Chesapeake Way|#1|Fayetteville|AR|72701|36.049865|-94.150441
3354 Wilmington Road||Montgomery|AL|36105|32.345724|-86.301384
8529 Old Harding Lane||Nashville|TN|37221|36.027995|-87.014506
22219 Panama City Beach Parkway||Panama City Beach|FL|32413|30.262043|-85.963167
37 East Broad Street||Savannah|GA|31401|32.077628|-81.084692
1309 Columbia Road Northwest||Washington|DC|20009|38.927595|-77.030714
1211 Castine Court||Pasadena|MD|21122|39.140409|-76.531377
906 West Berry Street|#204|Fayetteville|AR|72701|36.076079|-94.172353
341 Oakland Street||Manchester|CT|06042|41.805274|-72.518077
60 Downey Drive||Manchester|CT|06040|41.778634|-72.575723
3770 North Front Street||Fayetteville|AR|72703|36.118332|-94.144355
25 Church Street|A|Pittsfield|MA|01201|42.446859|-73.255836
6578 Marauder Drive||Nashville|TN|37209|36.142929|-86.885521
2747 68th Avenue||Oakland|CA|94605|37.768532|-122.180694
95 Woods Hill Road||Swanton|VT|05488|44.897682|-73.07533
35 Keach Avenue||Worcester|MA|01607|42.226941|-71.801441
1822 North Grand Avenue||Pueblo|CO|81003|38.284427|-104.611581
1809 U.S. 80||Savannah|GA|31408|32.084782|-81.167397
5065 North 54th Avenue|#8|Glendale|AZ|85301|33.511843|-112.17488
1261 Steamboat Drive|#3|Fayetteville|AR|72704|36.080486|-94.20497
1695 Archer Street||Savannah|GA|31405|32.047597|-81.133483
3904 October Woods Drive||Nashville|TN|37013|36.009291|-86.624016
1223 Delaware Avenue||Deale|MD|20733|38.799962|-76.518037
10383 Eagle River Lane||Anchorage|AK|99577|61.314129|-149.509103
1314 89th Avenue||Oakland|CA|94621|37.74974|-122.176283
21 Longview Bluff Drive East||Savannah|GA|31419|31.957543|-81.138489
1689 Fisher Pond Road||Saint Albans City|VT|05478|44.826977|-73.055054
9920 West 81st Avenue||Arvada|CO|80005|39.84462|-105.108383
2732 Rosedale Place||Nashville|TN|37211|36.123086|-86.76252
10881 Northforde Drive||Cupertino|CA|95014|37.335812|-122.023985
926 Mill Court||Savannah|GA|31419|31.959343|-81.142287
7550 Kline Drive||Arvada|CO|80005|39.834203|-105.110656
5688 Johnson Court||Arvada|CO|80002|39.798419|-105.109316
4439 Gale Street||Livermore|CA|94550|37.690199|-121.741112
6450 West Bethany Home Road||Glendale|AZ|85301|33.524201|-112.199137
2931 Shady Oaks Drive||Evans|CO|80620|40.384469|-104.726478
6451 West Bell Road|#1144|Glendale|AZ|85308|33.638023|-112.198675
644 West Maple Street|#2|Fayetteville|AR|72701|36.070334|-94.168629
1219 North Storer Avenue|#66|Fayetteville|AR|72703|36.078949|-94.172255
152 Holly Court||Mountain View|CA|94043|37.390391|-122.060062
6086 Kennedy Drive||Fayetteville|AR|72704|36.103629|-94.247736
2300 Deer Path Circle|#207|Hurstbourne Acres|KY|40220|38.218788|-85.592922
802 East 37th Street||Savannah|GA|31401|32.054012|-81.087324
5821 Taft Street||Arvada|CO|80004|39.802912|-105.130856
188 Saint Matthews Avenue|#1|Louisville|KY|40207|38.257758|-85.654671
68 Hampstead Place||Athol|MA|01331|42.58944|-72.227586
3164 West Woodfield Way||Fayetteville|AR|72704|36.084691|-94.20445
7998 Chase Circle|#1|Arvada|CO|80003|39.841232|-105.057933
1797 Pasatiempo Drive||Chico|CA|95928|39.677723|-121.770469
3722 Kisling Loop||Tyndall Air Force Base|FL|32403|30.104848|-85.650974
429 Patterson Street||Nashville|TN|37211|36.102655|-86.744186
6140 Fenton Street||Arvada|CO|80003|39.808031|-105.060143
7404 West Crest Lane||Glendale|AZ|85310|33.68511|-112.216723
7841 North 59th Lane|#G37|Glendale|AZ|85301|33.551659|-112.187921
8043 Cranberry Street|#APT 000001|Anchorage|AK|99502|61.147696|-149.936947
173 Spruce Street|#18|Manchester|CT|06040|41.770533|-72.515941
4712 Cherokee Heights Road||Panama City|FL|32404|30.234223|-85.566684
915 Sacramento Street||Bakersfield|CA|93305|35.379876|-119.000212
317 Windsor Road||Savannah|GA|31419|31.973034|-81.141871
1332 Maple Street||Montgomery|AL|36108|32.358974|-86.327823
4709 Blagden Terrace Northwest||Washington|DC|20011|38.948121|-77.040189
5102 Ander Drive||Brentwood|TN|37027|36.0025|-86.69449
6754 Field Street||Arvada|CO|80004|39.819371|-105.097531
2347 Glen Eagle Drive||Northfield|KY|40222|38.286284|-85.629974
1613 Maple Timber Court||Nashville|TN|37013|36.067096|-86.607005
269 Park Street|#1|North Reading|MA|01864|42.57268|-71.098888
6444 North 67th Avenue|#1081|Glendale|AZ|85301|33.530244|-112.204958
11 Pine Point Road||Duxbury|MA|02332|42.061319|-70.651025
4136 East Virginia Lane||Montgomery|AL|36116|32.295998|-86.22074
5740 North 59th Avenue|#1156|Glendale|AZ|85301|33.520772|-112.189044
95 Central Street|A|Springfield|MA|01105|42.098581|-72.57881
74 Heard Street|#1|Chelsea|MA|02150|42.397299|-71.035599
2500 Snowdoun Chambers Road||Montgomery|AL|36105|32.245691|-86.257744
429 Dennison Ridge Drive||Manchester|CT|06040|41.750419|-72.474013
1208 Lindenwood Drive||Panama City|FL|32405|30.187016|-85.681247
7609 Doris Place||Oklahoma City|OK|73162|35.575965|-97.648773
1915 Southeast 29th Street||Oklahoma City|OK|73129|35.436084|-97.478706
212 Holiday Circle||Savannah|GA|31419|32.025153|-81.240329
32 Amsden Street|#1|Arlington|MA|02474|42.404393|-71.138137
4016 Doane Street||Fremont|CA|94538|37.514834|-121.95302
8700 Lillington Circle||Montgomery|AL|36117|32.330168|-86.144811
7720 Allison Street|#105|Arvada|CO|80005|39.838341|-105.085573
17878 Front Beach Road|#C-2|Panama City Beach|FL|32413|30.237658|-85.915771
1328 Tuckerman Street Northwest||Washington|DC|20011|38.96736|-77.031069
4600 East Huntsville Road||Fayetteville|AR|72701|36.047656|-94.095334
5038 North Cimarron Drive||Beverly Hills|FL|34465|28.935938|-82.527367
1216 West Hill Street|M|Louisville|KY|40210|38.227343|-85.776425
3033 Aubert Avenue||Louisville|KY|40206|38.250779|-85.679931
17020 West 64th Drive||Arvada|CO|80007|39.813103|-105.19148
12420 West Montebello Avenue||Litchfield Park|AZ|85340|33.519491|-112.32613
2538 East 40th Plaza||Panama City|FL|32405|30.221455|-85.626834
827 10th Street Northeast||Washington|DC|20002|38.901021|-76.992391
5912 North 48th Avenue||Glendale|AZ|85301|33.523102|-112.162186
37 Fieldside Drive||Groton|CT|06340|41.366842|-72.078443
9176 Ellis Way||Arvada|CO|80005|39.86241|-105.157465
5370 Business Park Drive||Montgomery|AL|36116|32.317376|-86.232969
1612 Beech Street||Louisville|KY|40211|38.229625|-85.805719
8532 Ingalls Circle||Arvada|CO|80003|39.853262|-105.062971
7941 Alpine View Circle||Anchorage|AK|99507|61.148647|-149.830947
8595 West 81st Drive||Arvada|CO|80005|39.844934|-105.093735
4296 North Blossom Court||Fayetteville|AR|72703|36.128876|-94.123925
1738 Annabellas Drive||Panama City Beach|FL|32407|30.18776|-85.778231
3215 Madsen Street||Hayward|CA|94541|37.661883|-122.090461
4 Village Lake Drive|#4|Fayetteville|AR|72703|36.099472|-94.157028
86 Russell Street||Manchester|CT|06040|41.779857|-72.525724
570 Broadway||Lynnfield|MA|01940|42.517525|-71.001258
1405 Monroe Street Northeast||Washington|DC|20017|38.93258|-76.985797
900 North Leverett Avenue|#126|Fayetteville|AR|72701|36.075483|-94.169688
222 Quince Street|#2-B|San Diego|CA|92103|32.73685|-117.162443
370 Wallace Road|#D-28|Nashville|TN|37211|36.078257|-86.724182
6672 Urban Court||Arvada|CO|80004|39.817946|-105.13477
516 Southwest 60th Terrace||Oklahoma City|OK|73139|35.405161|-97.522363
1513 Southeast 9th Street||Moore|OK|73160|35.329431|-97.465397
154 Byrd Drive||Panama City|FL|32404|30.161691|-85.599202
1106 Homer Avenue||Savannah|GA|31405|32.04539|-81.124568
1010 M Street Northwest||Washington|DC|20001|38.905482|-77.026549
5420 Allison Street|#202|Arvada|CO|80002|39.795873|-105.085823
20 Hacker Street|#3|Worcester|MA|01603|42.244896|-71.817517
732 Kevin Court||Oakland|CA|94621|37.757904|-122.206479
509 Franklin Street Northeast||Washington|DC|20017|38.925585|-76.999089
23 Whitcomb Street||Springfield|VT|05156|43.298736|-72.488075
3377 Sandstone Court||Pleasanton|CA|94588|37.680463|-121.860128
14 Huntington Street||Manchester|CT|06040|41.777238|-72.518456
2802 US Highway 98|BLDG F|Mexico Beach|FL|32456|29.947434|-85.417079
412 Virginia Avenue||Louisville|KY|40222|38.253881|-85.615233
1644 New Jersey Avenue Northwest||Washington|DC|20001|38.91233|-77.017736
832 51st Street Northeast||Washington|DC|20019|38.900883|-76.927338
894 Windmill Park Lane||Mountain View|CA|94043|37.399505|-122.077478
9636 Morar Road||Panama City|FL|32409|30.324968|-85.620589
9472 Noble Way||Arvada|CO|80007|39.869066|-105.178417
618 Staley Avenue||Hayward|CA|94541|37.662926|-122.091801
8704 Bayberry Place||Plantation|KY|40242|38.281498|-85.591842
2506 West Madison Street||Louisville|KY|40211|38.253755|-85.793332
840 Inglewood Drive||West Sacramento|CA|95605|38.591235|-121.524984
10 Dalry Lane||Savannah|GA|31419|31.941447|-81.160151
3301 Nora Lane||Louisville|KY|40220|38.199844|-85.61509
8304 Glaser Lane||Louisville|KY|40291|38.143789|-85.608072
3720 West 86th Avenue|APT F|Anchorage|AK|99502|61.142615|-149.949251
3298 Chestnut Street Northwest||Washington|DC|20015|38.979577|-77.061088
82 Fairfield Street||Manchester|CT|06040|41.767362|-72.53831
3138 P Street Northwest||Washington|DC|20007|38.909112|-77.062996
80 Locust Avenue|#110|Worcester|MA|01604|42.266896|-71.762913
2715 Thornbrook Court||Odenton|MD|21113|39.064503|-76.727459
3579 2nd Avenue||Edgewater|MD|21037|38.912832|-76.52241
6739 Taft Court||Arvada|CO|80004|39.81899|-105.132529
1528 Stafford Avenue||Hayward|CA|94541|37.680081|-122.074569
2024 Merrily Drive||Montgomery|AL|36111|32.332874|-86.28073
2034 Fairfax Road||Annapolis|MD|21401|38.973434|-76.535743
1430 East Audubon Road||Montgomery|AL|36111|32.328226|-86.283004
3652 East Blue Stone Drive||Fayetteville|AR|72764|36.139309|-94.107807
3302 Woodland Park Drive|#APT 000001|Anchorage|AK|99517|61.190512|-149.927286
1771 Daisey Court||Millersville|MD|21108|39.044662|-76.647974
406 East Waldburg Street||Savannah|GA|31401|32.064691|-81.092321
11843 North 60th Avenue||Glendale|AZ|85304|33.594584|-112.188319
9515 West 74th Avenue||Arvada|CO|80005|39.831067|-105.103952
119 Antioch Pike||Nashville|TN|37211|36.10072|-86.72331
1157 1st Street Northwest||Washington|DC|20001|38.905383|-77.012166
3578 Galindo Street||Oakland|CA|94601|37.783471|-122.214973
12800 Saunders Road||Anchorage|AK|99516|61.104998|-149.746856`;
