package io.penstock.develop;

import io.penstock.exchange.Exchange;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.request.Html;
import io.penstock.request.StackTraces;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The page that shows a developer why a version did not compile or start. The page asks the server every second whether there is a newer version. If
 * there is a newer version, the page reloads itself. Without a former version in service, each request is answered with the failure. With a
 * former version, only requests of a browser for a page are answered with the failure. The developer can dismiss the failure with a button.
 * Then the former version answers these requests, too.
 *
 * <p>Thread: workers.
 */
final class FailurePage {
    /** The header field of the page's own requests. Its value is the number of the failure that the page shows. */
    private static final String SHOWN = "Penstock-Failed-Version";

    /** The cookie that has the number of the failure that the developer has dismissed. */
    private static final String COOKIE = "penstock-failed-version=";

    private static final String HTML = "text/html";

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>%1$s</title>
            <style>
            %6$sbutton { font: inherit; padding: .3rem 1rem }
            </style>
            </head>
            <body>
            <h1>%1$s</h1>
            <p id="reason">%2$s</p>
            <p>This page loads again as soon as there is a newer version.%3$s</p>
            %4$s<script>
            const failed = '%5$d';
            setInterval(async () => {
              const answer = await fetch(location.href, { headers: { 'Penstock-Failed-Version': failed }, cache: 'no-store' })
                  .catch(serverIsAway => null);
              if (answer !== null && answer.status === 205) {
                location.reload();
              }
            }, 1000);
            const former = document.getElementById('former');
            if (former !== null) {
              former.onclick = () => {
                document.cookie = 'penstock-failed-version=' + failed + '; path=/; SameSite=Lax';
                location.reload();
              };
            }
            </script>
            </body>
            </html>
            """;

    private static final String TO_THE_FORMER =
            " The former version stays in service for programs and open pages.</p>\n<p><button id=\"former\">Show the former version</button>";

    private FailurePage() {}

    /** Whether the request comes from the script of the failure page. The script asks whether there is a newer version. */
    static boolean isQuestion(RequestHead head) {
        return head.fields().contains(SHOWN);
    }

    /**
     * Answers a request of the script of the failure page. The status is 204 if the page shows the newest failure. The status is 205 if
     * there is a newer version or a newer failure.
     */
    static void answerQuestion(Exchange exchange, int newest) throws IOException {
        boolean same = Integer.toString(newest).equals(exchange.head().fields().first(SHOWN));
        exchange.response().head(new ResponseHead(same ? 204 : 205, uncached(), 0));
        exchange.response().finish(Fields.EMPTY);
    }

    /** Whether the request must be answered with the failure. Other requests are answered by the former version. */
    static boolean hides(FailedVersion failure, RequestHead head) {
        return failure.former() == FailedVersion.Former.NONE
                || isNavigation(head) && !isDismissed(failure, head.fields());
    }

    private static boolean isNavigation(RequestHead head) {
        String destination = head.fields().first("Sec-Fetch-Dest");
        return head.method().equals("GET")
                && acceptsHtml(head.fields())
                && (destination == null || destination.equals("document"));
    }

    private static boolean acceptsHtml(Fields fields) {
        return fields.all("Accept").stream().anyMatch(accepted -> accepted.contains(HTML));
    }

    private static boolean isDismissed(FailedVersion failure, Fields fields) {
        return fields.all("Cookie").stream()
                .flatMap(cookies -> Arrays.stream(cookies.split(";")))
                .anyMatch(cookie -> cookie.strip().equals(COOKIE + failure.number()));
    }

    /** Answers 500 with the failure. Browsers get a page, and other clients get text. */
    static void answer(Exchange exchange, FailedVersion failure) throws IOException {
        boolean html = acceptsHtml(exchange.head().fields());
        byte[] body = (html
                        ? page(failure)
                        : failure.reason() + "\n" + failure.trace().text())
                .getBytes(StandardCharsets.UTF_8);
        Fields fields = uncached()
                .add("Content-Type", (html ? HTML : "text/plain") + ";charset=UTF-8")
                .add("X-Content-Type-Options", "nosniff");
        exchange.response().head(new ResponseHead(500, fields, body.length));
        exchange.response().write(ByteBuffer.wrap(body), true);
    }

    private static FieldList uncached() {
        return new FieldList().add("Cache-Control", "no-store");
    }

    private static String page(FailedVersion failure) {
        return PAGE.formatted(
                Html.escape(failure.title()),
                Html.escape(failure.reason()),
                failure.former() == FailedVersion.Former.SERVES ? TO_THE_FORMER : "",
                failure.trace().html(),
                failure.number(),
                StackTraces.STYLE);
    }
}
