package io.penstock.standalone;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyOrNullString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.config.DecoderConfig;
import io.restassured.config.EncoderConfig;
import io.restassured.config.RedirectConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.Cookie;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the sample web application on {@code penstock.jar}, with one request at a time. */
class SampleWebappIT {
    private static final RestAssuredConfig WITHOUT_CONVERSIONS = RestAssuredConfig.config()
            .redirect(RedirectConfig.redirectConfig().followRedirects(false))
            .decoderConfig(DecoderConfig.decoderConfig().noContentDecoders())
            .encoderConfig(EncoderConfig.encoderConfig()
                    .defaultContentCharset("UTF-8")
                    .defaultQueryParameterCharset("UTF-8")
                    .appendDefaultContentCharsetToContentTypeIfUndefined(false));

    private static SampleServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = SampleServer.start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    private static RequestSpecification request() {
        return given().baseUri(server.url()).config(WITHOUT_CONVERSIONS);
    }

    // Files

    @Test
    void theWelcomeFileIsServedAtTheRoot() {
        request()
                .get("/")
                .then()
                .statusCode(200)
                .contentType(startsWith("text/html"))
                .body(containsString("<h2>For programs</h2>"));
    }

    @ParameterizedTest
    @CsvSource({"site.css, text/css", "site.js, text/javascript", "mark.svg, image/svg+xml", "clock.html, text/html"})
    void theContentTypeOfAFileDependsOnItsExtension(String file, String type) {
        request().get("/" + file).then().statusCode(200).contentType(startsWith(type));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/WEB-INF/web.xml",
                "/WEB-INF/frame.html",
                "/web-inf/web.xml",
                "/x/../WEB-INF/web.xml",
                "/META-INF/"
            })
    void privateFilesOfTheApplicationAreNotServed(String path) {
        request().urlEncodingEnabled(false).get(path).then().statusCode(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/site.css", "/hello", "/request/a", "/guestbook", "/download/readings.csv"})
    void theResponseToAHeadRequestHasAContentTypeAndNoBody(String path) {
        Response get = request().get(path);
        request()
                .head(path)
                .then()
                .statusCode(200)
                .contentType(get.contentType())
                .body(emptyOrNullString());
    }

    // Filters

    @Test
    void aFilterAddsAHeaderWithTheDurationOfTheServlet() {
        request().get("/hello").then().header("Server-Timing", matchesPattern("servlet;dur=[0-9]+\\.[0-9]{3}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/hello", "/no/such/page", "/fail"})
    void everyResponseHasTheSecurityHeaders(String path) {
        request()
                .get(path)
                .then()
                .header("Content-Security-Policy", containsString("default-src 'self'"))
                .header("X-Content-Type-Options", "nosniff");
    }

    // Hello

    @Test
    void theHelloServletUsesTheNameAndTheLanguageFromTheParameters() {
        request()
                .queryParam("name", "Zoë")
                .queryParam("language", "de")
                .get("/hello")
                .then()
                .statusCode(200)
                .contentType("text/html;charset=UTF-8")
                .body(containsString(">Guten Tag, Zoë!<"));
    }

    @Test
    void theHelloServletUsesItsInitParameterAndAcceptLanguageIfTheRequestHasNoParameters() {
        request()
                .header("Accept-Language", "xx;q=0.1, fr-CH;q=0.9")
                .get("/hello")
                .then()
                .body(containsString(">Bonjour, world!<"));
    }

    @Test
    void theHelloServletEscapesTheNameForHtml() {
        request()
                .queryParam("name", "<script>'\"&")
                .get("/hello")
                .then()
                .body(containsString("&lt;script&gt;&#39;&quot;&amp;!"), not(containsString("<script>'")));
    }

    @Test
    void aRequestWithAnUnsupportedMethodGetsStatus405() {
        request().delete("/hello").then().statusCode(405);
    }

    // Guest book

    @Test
    void aGuestBookEntryCausesARedirectAndIsCountedInTheSession() {
        Response signed = request()
                .formParam("name", "Grace <b>")
                .formParam("message", "Über den Bach & zurück")
                .post("/guestbook");
        signed.then().statusCode(303).header("Location", endsWith("guestbook"));
        Cookie session = signed.getDetailedCookie("JSESSIONID");
        assertTrue(session.isHttpOnly());
        assertEquals("Lax", session.getSameSite());

        request()
                .cookie(session)
                .get("/guestbook")
                .then()
                .statusCode(200)
                .body(
                        containsString("<strong>Grace &lt;b&gt;</strong>. You have signed once"),
                        containsString("Über den Bach &amp; zurück"));
        request()
                .get("/guestbook")
                .then()
                .body(containsString("Über den Bach"), not(containsString("You have signed")));

        request().cookie(session).post("/forget").then().statusCode(303);
        request().cookie(session).get("/guestbook").then().body(not(containsString("You have signed")));
    }

    @Test
    void aGuestBookEntryWithoutAMessageIsRejectedAndTheFormKeepsTheName() {
        request()
                .formParam("name", "Alan")
                .formParam("message", "  ")
                .post("/guestbook")
                .then()
                .statusCode(400)
                .body(containsString("role=\"alert\""), containsString("value=\"Alan\""));
    }

    @Test
    void readingTheGuestBookCreatesNoSession() {
        assertTrue(request().get("/guestbook").getDetailedCookies().asList().isEmpty());
    }

    // Upload and download

    @Test
    void theResponseToAnUploadDescribesEachPartOfTheUpload() {
        byte[] large = new byte[3_000_000];
        Arrays.fill(large, (byte) 'x');
        request()
                .multiPart("remark", "two files")
                .multiPart("file", "small.txt", "hello".getBytes(StandardCharsets.UTF_8), "text/plain")
                .multiPart("file", "large.bin", large, "application/x-large")
                .post("/upload")
                .then()
                .statusCode(200)
                .body(allOf(
                        containsString("<td>small.txt</td><td>text/plain</td><td class=\"number\">5</td>"),
                        containsString("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"),
                        containsString(
                                "<td>large.bin</td><td>application/x-large</td><td class=\"number\">3000000</td>"),
                        containsString("<th scope=\"row\">remark</th>")));
    }

    @Test
    void anUploadThatExceedsTheSizeLimitGetsStatus413() {
        request()
                .multiPart("file", "huge.bin", new byte[11 << 20], "application/octet-stream")
                .post("/upload")
                .then()
                .statusCode(413);
    }

    @Test
    void aLargeDownloadIsCompleteAndIsSentAsAnAttachment() {
        Response csv = request().queryParam("rows", 50_000).get("/download/readings.csv");
        csv.then()
                .statusCode(200)
                .contentType("text/csv;charset=UTF-8")
                .header("Content-Disposition", "attachment; filename=\"readings.csv\"");
        String[] lines = csv.asString().split("\r\n", -1);
        assertEquals("second,celsius", lines[0]);
        assertEquals(50_002, lines.length);
        assertTrue(lines[50_000].startsWith("49999,"));
    }

    // Details of the request

    @Test
    void theResponseShowsTheDetailsOfItsRequest() {
        String context = URI.create(server.url()).getPath();
        request()
                .header("X-Colour", "<teal>")
                .cookie("flavour", "mint")
                .urlEncodingEnabled(false)
                .get("/request/a%20b/c?x=1&x=%C3%BC")
                .then()
                .statusCode(200)
                .body(allOf(
                        containsString("<th scope=\"row\">Path info</th><td>/a b/c</td>"),
                        containsString("<th scope=\"row\">Request URI</th><td>" + context + "/request/a%20b/c</td>"),
                        containsString("<th scope=\"row\">Query string</th><td>x=1&amp;x=%C3%BC</td>"),
                        containsString("<th scope=\"row\">Mapping</th><td>/request/* (PATH)</td>"),
                        containsString("<th scope=\"row\">x</th><td>ü</td>"),
                        containsString("<td>&lt;teal&gt;</td>"),
                        containsString("<th scope=\"row\">flavour</th><td>mint</td>")));
    }

    // Slow clients

    @Test
    void aRequestWithoutTheRequiredHeaderCannotStartSlowClients() {
        request().formParam("kind", "uploads").post("/slow-clients").then().statusCode(400);
        request().get("/slow-clients").then().statusCode(200).body("state", equalTo("ready"), "connected", equalTo(0));
    }

    // Errors

    @Test
    void aRequestForAMissingPageGetsTheErrorPageOfTheApplication() {
        request()
                .get("/no/such/<page>")
                .then()
                .statusCode(404)
                .contentType("text/html;charset=UTF-8")
                .body(containsString("Nothing here"), not(containsString("<page>")));
    }

    @Test
    void theErrorPageForAnExceptionContainsNoStackTrace() {
        request()
                .get("/fail")
                .then()
                .statusCode(500)
                .body(
                        containsString("That went wrong"),
                        containsString("<dd>java.lang.IllegalStateException</dd>"),
                        not(containsString("at io.penstock")));
        request().get("/hello").then().statusCode(200);
    }

    @Test
    void theErrorPageCannotBeRequestedDirectly() {
        request().get("/error").then().statusCode(404);
    }

    // Blocks of floats

    @ParameterizedTest
    @ValueSource(ints = {2, 2000, 250_000})
    void theSensorServletCanReadTheFloatsThatItHasSent(int count) {
        byte[] block = request()
                .queryParam("count", count)
                .get("/sensor")
                .then()
                .statusCode(200)
                .extract()
                .asByteArray();
        assertEquals(count * Float.BYTES, block.length);
        float[] series = new float[count];
        ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(series);
        Arrays.sort(series);
        request()
                .contentType("application/octet-stream")
                .body(block)
                .post("/sensor")
                .then()
                .statusCode(200)
                .contentType(startsWith("application/json"))
                .body("count", equalTo(count), "min", equalTo(series[0]), "max", equalTo(series[count - 1]));
    }

    @ParameterizedTest
    @CsvSource({"7, 400", "0, 400", "1000004, 413"})
    void aBlockOfFloatsWithAnInvalidLengthIsRejected(int bytes, int status) {
        request()
                .contentType("application/octet-stream")
                .body(new byte[bytes])
                .post("/sensor")
                .then()
                .statusCode(status);
    }

    // Echo

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 70_000, 2_000_000})
    void theRequestBodyIsEchoed(int length) {
        byte[] body = new byte[length];
        for (int i = 0; i < length; i++) {
            body[i] = (byte) (i * 31);
        }
        byte[] echo = request()
                .contentType("application/octet-stream")
                .body(body)
                .post("/echo-body")
                .then()
                .statusCode(200)
                .extract()
                .asByteArray();
        assertArrayEquals(body, echo);
    }

    @Test
    void theRequestHeadersAreEchoed() {
        String lines = request().header("X-Twice", "1", "2").get("/echo").asString();
        assertTrue(lines.toLowerCase(Locale.ROOT).contains("\nx-twice: 1\nx-twice: 2\n"), lines);
    }

    @Test
    void theRequestCookiesAreEchoed() {
        String lines = request().header("Cookie", "a=b; c=d").get("/cookie").asString();
        assertEquals("a=b\nc=d\n", lines);
    }

    // Sources

    @Test
    void aSourceFileIsSentAsAPageOrWithTheParameterBareAsASingleHtmlElement() {
        request()
                .get("/source/hello/HelloServlet.java")
                .then()
                .statusCode(200)
                .body(containsString("<nav "), containsString("<span class=\"annotation\">@WebServlet</span>"));
        request()
                .get("/source/hello/HelloServlet.java?bare")
                .then()
                .statusCode(200)
                .body(startsWith("<pre "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/source", "/source/", "/source/hello/Nothing.java", "/source/..%2f..%2fweb.xml"})
    void aRequestWithAnInvalidPathOfASourceFileIsRejected(String path) {
        int status = request().urlEncodingEnabled(false).get(path).statusCode();
        assertTrue(status == 404 || status == 400, "unexpected status " + status);
    }
}
