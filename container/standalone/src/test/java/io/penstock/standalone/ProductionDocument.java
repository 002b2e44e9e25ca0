package io.penstock.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads configurations from {@code docs/production.md}, and adapts them to a test. */
final class ProductionDocument {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "production.md");

    private static final Pattern UPSTREAM = Pattern.compile("upstream penstock \\{.*?\\n}\\n", Pattern.DOTALL);
    private static final Pattern SERVER = Pattern.compile(" +server one .*\\n");

    private ProductionDocument() {}

    /**
     * Returns the first code block that is in the given language and contains the given text.
     *
     * @param places maps each address or file in the document to its replacement in the test
     */
    static String block(String language, String with, Map<String, String> places) throws IOException {
        Matcher blocks =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(DOCUMENT));
        while (blocks.find()) {
            String block = blocks.group(1);
            if (block.contains(with)) {
                return replaced(block, places);
            }
        }
        throw new IllegalStateException("no block with " + with);
    }

    /** Returns the first nginx block {@code upstream} that contains the given server. */
    static String upstream(String server, Map<String, String> places) throws IOException {
        Matcher upstreams = UPSTREAM.matcher(Files.readString(DOCUMENT));
        while (upstreams.find()) {
            if (upstreams.group().contains(server)) {
                return replaced(upstreams.group(), places);
            }
        }
        throw new IllegalStateException("no upstream with " + server);
    }

    /**
     * Returns the configuration of nginx.
     *
     * @param port the port for HTTPS at 127.0.0.1 and for plain HTTP at 127.0.0.9
     * @param upstream the replacement for the first block {@code upstream} in the document
     */
    static String nginx(int port, Path certificate, String upstream) throws IOException {
        String whole = block(
                "nginx",
                "X-Forwarded-For",
                Map.of(
                        "listen 80;",
                        "listen 127.0.0.9:" + port + ";",
                        "listen 443 ssl;",
                        "listen 127.0.0.1:" + port + " ssl;",
                        "/etc/penstock/chain.pem",
                        certificate.toString(),
                        "/etc/penstock/key.pem",
                        TestAuthority.key(certificate).toString()));
        return replaced(whole, UPSTREAM, upstream);
    }

    /**
     * Returns the configuration of HAProxy, with the same addresses as for nginx.
     *
     * @param together a file that contains the certificate and the key
     * @param servers the lines that replace the line {@code server} in the document
     */
    static String haproxy(int port, Path together, String servers) throws IOException {
        String whole = block(
                "haproxy",
                "option forwardfor",
                Map.of(
                        "bind :80\n", "bind 127.0.0.9:" + port + "\n",
                        "bind :443 ", "bind 127.0.0.1:" + port + " ",
                        "/etc/penstock/site.pem", together.toString()));
        return replaced(whole, SERVER, servers);
    }

    private static String replaced(String whole, Pattern part, String other) {
        Matcher found = part.matcher(whole);
        if (!found.find()) {
            throw new IllegalStateException("no " + part + " in " + whole);
        }
        return found.replaceFirst(Matcher.quoteReplacement(other));
    }

    private static String replaced(String block, Map<String, String> places) {
        String made = block;
        for (Map.Entry<String, String> place : places.entrySet()) {
            if (!made.contains(place.getKey())) {
                throw new IllegalStateException("the document has no " + place.getKey());
            }
            made = made.replace(place.getKey(), place.getValue());
        }
        return made;
    }
}
