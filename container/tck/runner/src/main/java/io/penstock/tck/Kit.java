package io.penstock.tck;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The kits that the runner knows. The property {@code kit} of Maven has the names in lower case. */
enum Kit {
    SERVLET("Servlet 6.1", "servlet.tck."),
    SERVLET62("Servlet 6.2 (draft)", "servlet.tck."),
    PAGES("Pages 4.0", "ee.jakarta.tck.pages."),
    TAGS("Tags 3.0", "com.sun.ts.tests.jstl."),
    EL("Expression Language 6.0", "com.sun.ts.tests.el."),
    WEBSOCKET("WebSocket 2.2", "com.sun.ts.tests.websocket.");

    private static final String NO_PUSH = "skips itself: server push is optional, and Penstock does not have it";

    /** The tests that need not pass. */
    private static final List<Known> KNOWN = List.of(
            new Known(SERVLET, "spec.serverpush.serverPush", Outcome.Kind.SKIPPED, NO_PUSH),
            new Known(
                    SERVLET,
                    "spec.httpservletresponse.flushBufferTest",
                    Outcome.Kind.SKIPPED,
                    "disabled in the kit itself"),
            new Known(SERVLET62, "spec.serverpush.serverPush", Outcome.Kind.SKIPPED, NO_PUSH),
            new Known(
                    SERVLET62,
                    "signature.signatureTest",
                    Outcome.Kind.FAILED,
                    "expects HttpServlet.doQuery, which is newer than the API 6.2.0-M2"),
            new Known(
                    SERVLET62,
                    "spec.multifiltermapping.",
                    Outcome.Kind.FAILED,
                    "defect of the kit: the archive lacks NoContentLengthResponseWrapper, which its filters need"),
            new Known(
                    SERVLET62,
                    "webxml.api.jakarta_servlet_http.sessioncookieconfig.",
                    Outcome.Kind.FAILED,
                    "defect of the kit: the archive lacks the class that its servlet extends"),
            new Known(PAGES, "signaturetest.signatureTest", Outcome.Kind.FAILED, "expects the API of Pages 4.1"));

    private final String title;
    private final String root;

    /** @param root the beginning that the names of all packages have in common */
    Kit(String title, String root) {
        this.title = title;
        this.root = root;
    }

    /** @throws IllegalArgumentException if there is no such kit; the message has the known names */
    static Kit named(String name) {
        return Arrays.stream(values())
                .filter(kit -> kit.id().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kit '" + name + "', but: "
                        + Arrays.stream(values()).map(Kit::id).collect(Collectors.joining(", "))));
    }

    private String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The specification that the kit tests, with its version. */
    String title() {
        return title;
    }

    /** The name of a test in the document: package and method, without what all packages have in common. */
    String name(Outcome outcome) {
        String className = outcome.className();
        String name = className.substring(0, Math.max(0, className.lastIndexOf('.')));
        return (name.startsWith(root) ? name.substring(root.length()) : name) + "." + outcome.test();
    }

    /** Why a test need not pass; empty if it must. */
    String reason(Outcome outcome) {
        String name = name(outcome);
        return KNOWN.stream()
                .filter(known -> known.kit == this && known.kind == outcome.kind() && name.startsWith(known.test))
                .map(Known::reason)
                .findFirst()
                .orElse("");
    }

    /** @param test the beginning of the name, so that one entry can name similar tests */
    private record Known(Kit kit, String test, Outcome.Kind kind, String reason) {}
}
