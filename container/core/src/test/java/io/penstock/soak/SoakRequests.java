package io.penstock.soak;

import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Creates the requests of one client. The same seed gives the same requests. */
final class SoakRequests {
    private static final int LARGE = 150_000;
    private static final Set<Integer> OK = Set.of(200);

    private final SplittableRandom random;
    private final long client;
    private final String owner;
    private long made;

    /** The session cookie of the client; null before the first response with a session. */
    private @Nullable String session;

    SoakRequests(SplittableRandom random, long client) {
        this.random = random;
        this.client = client;
        this.owner = Token.of(client << 32);
    }

    String owner() {
        return owner;
    }

    void session(String cookie) {
        session = cookie;
    }

    SoakRequest next() {
        Kind kind = Kind.drawn(random.nextLong());
        String token = Token.of((client << 32) + ++made);
        return switch (kind) {
            case PLAIN -> get(kind, token, "echo", random.nextInt(2_000));
            case LARGE_ANSWER -> get(kind, token, "echo", LARGE + random.nextInt(LARGE));
            case SMALL_BODY -> post(kind, token, "echo", random.nextInt(3_000));
            case LARGE_BODY -> post(kind, token, "echo", LARGE + random.nextInt(LARGE));
            case STREAM -> post(kind, token, "stream", random.nextInt(60_000));
            case LISTEN -> post(kind, token, "listen", 1 + random.nextInt(20_000));
            case CHUNKED_BODY -> chunked(kind, token, random.nextInt(60_000));
            case FORM -> form(kind, token);
            case MULTIPART -> multipart(kind, token, random.nextInt(5_000));
            case LARGE_MULTIPART -> multipart(kind, token, LARGE + random.nextInt(LARGE));
            case ASYNC_THREAD -> async(kind, token, "thread");
            case ASYNC_START -> async(kind, token, "start");
            case ASYNC_TIMEOUT -> async(kind, token, "timeout");
            case ASYNC_DISPATCH -> async(kind, token, "dispatch");
            case ASYNC_RACE -> other(kind, token, "async", "&how=race", Set.of(200, 500), filler(token, 0));
            case SESSION -> other(kind, token, "session", "", OK, new Content().text("session " + owner + "\n"));
            case ERROR -> other(kind, token, "error", "", Set.of(409), new Content());
            case THROW -> other(kind, token, "throw", "", Set.of(500), new Content());
            case BROKEN_BODY -> broken(kind, token, random.nextInt(40_000));
            case NOT_FOUND -> other(kind, token, "nowhere", "", Set.of(404), new Content());
        };
    }

    private SoakRequest get(Kind kind, String token, String servlet, int size) {
        return other(kind, token, servlet, "&size=" + size, OK, filler(token, size));
    }

    private SoakRequest async(Kind kind, String token, String how) {
        int size = random.nextInt(20_000);
        return other(kind, token, "async", "&how=" + how + "&size=" + size, OK, filler(token, size));
    }

    private SoakRequest other(
            Kind kind, String token, String servlet, String query, Set<Integer> statuses, Content rest) {
        Content request = head("GET", servlet, token, query, "\r\n");
        return new SoakRequest(
                kind, token, owner, request, statuses, preface(token).then(rest));
    }

    private SoakRequest post(Kind kind, String token, String servlet, int length) {
        Content request = head(
                        "POST", servlet, token, "", "Content-Length: " + length + "\r\n" + maybeExpect() + "\r\n")
                .repeated(word(token), length);
        return new SoakRequest(kind, token, owner, request, OK, preface(token).then(filler(token, length)));
    }

    /**
     * Returns the field {@code Expect} for some requests, and an empty text for all others. The client does not wait for status 100 before
     * it sends the body (RFC 9110 section 10.1.1 allows this).
     */
    private String maybeExpect() {
        return random.nextInt(8) == 0 ? "Expect: 100-continue\r\n" : "";
    }

    private SoakRequest chunked(Kind kind, String token, int length) {
        Content request = head("POST", "echo", token, "", "Transfer-Encoding: chunked\r\n\r\n");
        for (int at = 0; at < length; ) {
            int size = Math.min(length - at, 1 + random.nextInt(9_000));
            request.text(Integer.toHexString(size) + "\r\n")
                    .repeated(word(token), at, size)
                    .text("\r\n");
            at += size;
        }
        request.text("0\r\nX-Trailer: " + token + "\r\n\r\n");
        return new SoakRequest(kind, token, owner, request, OK, preface(token).then(filler(token, length)));
    }

    private SoakRequest broken(Kind kind, String token, int length) {
        Content request = head("POST", "echo", token, "", "Transfer-Encoding: chunked\r\n\r\n")
                .text(Integer.toHexString(length + 1) + "\r\n")
                .repeated(word(token), length)
                .text("no end of a chunk");
        return new SoakRequest(kind, token, owner, request, Set.of(400), new Content());
    }

    private SoakRequest form(Kind kind, String token) {
        String body = "form=" + token + "&other=" + "x".repeat(random.nextInt(200));
        Content request = head(
                        "POST",
                        "echo",
                        token,
                        "",
                        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + body.length()
                                + "\r\n\r\n")
                .text(body);
        Content answer = preface(token).text("form " + token + "\n");
        return new SoakRequest(kind, token, owner, request, OK, answer);
    }

    private SoakRequest multipart(Kind kind, String token, int length) {
        String line = "--" + token + "\r\nContent-Disposition: form-data; name=\"";
        Content body = new Content()
                .text(line + "field\"\r\n\r\n" + token + "\r\n")
                .text(line + "file\"; filename=\"" + token + ".txt\"\r\nContent-Type: text/plain\r\n\r\n")
                .repeated(word(token), length)
                .text("\r\n--" + token + "--\r\n");
        Content request = head(
                        "POST",
                        "upload",
                        token,
                        "",
                        "Content-Type: multipart/form-data; boundary=" + token + "\r\nContent-Length: " + body.length()
                                + "\r\n\r\n")
                .then(body);
        Content answer = preface(token)
                .text("field " + token + "\n")
                .text("file " + token + ".txt\n")
                .then(filler(token, length));
        return new SoakRequest(kind, token, owner, request, OK, answer);
    }

    private Content head(String method, String servlet, String token, String query, String rest) {
        String cookies = "token=" + token + (session == null ? "" : "; " + session);
        return new Content()
                .text(String.format(
                        Locale.ROOT,
                        "%s /%s/%s?query=%s%s HTTP/1.1\r\nHost: soak.test\r\nX-Token: %s\r\nX-Owner: %s\r\nCookie: %s\r\n%s%s",
                        method,
                        servlet,
                        token,
                        token,
                        query,
                        token,
                        owner,
                        cookies,
                        maybeLarge(),
                        rest));
    }

    private String maybeLarge() {
        return random.nextInt(30) == 0 ? "X-Large: " + "y".repeat(random.nextInt(8_000)) + "\r\n" : "";
    }

    /** Returns the first lines of each response. These lines repeat the token from each part of the request. */
    private static Content preface(String token) {
        return new Content()
                .text("path " + token + "\nquery " + token + "\nheader " + token + "\ncookie " + token + "\n");
    }

    private static Content filler(String token, long length) {
        return new Content().repeated(word(token), length);
    }

    private static String word(String token) {
        return token + "\n";
    }
}
