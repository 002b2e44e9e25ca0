package io.penstock.request;

import io.penstock.part.ExplainedFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The stack trace of an exception and its causes, as developers see it in a response. Between and below the frames of the application, the
 * frames of the server and of reflection are folded: they are the same for each failure. A trace without a frame of the application is
 * complete.
 */
public final class StackTraces {
    /** The CSS rules for an error page and for the result of {@link #html}. The colours are legible on a light and on a dark background. */
    public static final String STYLE = """
            body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1a1a1a; background: #fff }
            h1 { font-size: 1.5rem; color: #a40000 }
            #reason { font-size: 1.1rem; overflow-wrap: anywhere; white-space: pre-wrap }
            .trace { background: #f3f3f3; padding: 1rem; overflow-x: auto; font-size: .85rem }
            .trace pre { margin: 0; font-size: 1em }
            .jdk, summary { color: #6b6b6b }
            summary { cursor: pointer; padding-left: 2rem }
            @media (prefers-color-scheme: dark) {
              body { color: #e6e6e6; background: #1b1b1b; color-scheme: dark }
              h1 { color: #ff8a80 }
              .trace { background: #282828 }
              .jdk, summary { color: #9a9a9a }
            }
            """;

    /** Code that calls the application, or that runs between two calls of the application. */
    private static final List<String> SERVER = List.of(
            "io.penstock.", "jakarta.servlet.", "org.apache.jasper.", "jdk.internal.reflect.", "java.lang.reflect.");

    /** The name of the class loader of the server, which an application may have, too. */
    private static final String OF_THE_PROCESS = "app";

    private static final List<String> JDK = List.of("java.", "jdk.", "sun.", "com.sun.");

    /** The sample application and the benchmarks, which can run on the class path of the server. */
    private static final List<String> EXAMPLES = List.of("io.penstock.sample.", "io.penstock.peer.");

    private final List<Part> parts = new ArrayList<>();
    private final Set<Throwable> told = Collections.newSetFromMap(new IdentityHashMap<>());
    private final @Nullable String loader;

    private record Part(Kind kind, List<String> lines) {}

    private enum Kind {
        SHOWN,
        JDK,
        SERVER
    }

    private StackTraces(@Nullable String loader) {
        this.loader = loader;
    }

    /** No trace. */
    public static StackTraces none() {
        return new StackTraces(null);
    }

    /**
     * The stack trace of an exception and its causes.
     *
     * @param loader the name of the application's class loader, which is left out of the frames; null if the class loader has no name
     */
    public static StackTraces of(Throwable thrown, @Nullable String loader) {
        StackTraces traces = new StackTraces(loader);
        traces.tell(thrown, "", "", new StackTraceElement[0]);
        return traces;
    }

    /** Lines that are no frames, such as the output of a compiler. */
    public static StackTraces ofLines(String text) {
        StackTraces traces = new StackTraces(null);
        text.lines().forEach(line -> traces.add(Kind.SHOWN, line));
        return traces;
    }

    /**
     * The frames without those that are folded, for a log.
     *
     * @param loader the name of the application's class loader; null if the class loader has no name
     */
    public static StackTraceElement[] withoutServer(StackTraceElement[] frames, @Nullable String loader) {
        Kind[] kinds = kinds(frames, loader);
        List<StackTraceElement> shown = new ArrayList<>();
        for (int i = 0; i < frames.length; i++) {
            if (kinds[i] != Kind.SERVER) {
                shown.add(frames[i]);
            }
        }
        return shown.toArray(StackTraceElement[]::new);
    }

    private void tell(Throwable thrown, String indent, String what, StackTraceElement[] around) {
        if (!told.add(thrown)) {
            add(Kind.SHOWN, indent + what + "[the same again: " + thrown + "]");
            return;
        }
        (indent + what + thrown).lines().forEach(line -> add(Kind.SHOWN, line));
        if (thrown instanceof ExplainedFailure explained) {
            explained.explanation().lines().forEach(line -> add(Kind.SHOWN, indent + line));
        }
        StackTraceElement[] frames = thrown.getStackTrace();
        Kind[] kinds = kinds(frames, loader);
        int common = inCommon(frames, around);
        for (int i = 0; i < frames.length - common; i++) {
            add(kinds[i], indent + "\tat " + text(frames[i]));
        }
        if (common > 0) {
            add(Kind.SHOWN, indent + "\t... " + common + " more");
        }
        for (Throwable suppressed : thrown.getSuppressed()) {
            tell(suppressed, indent + "\t", "Suppressed: ", frames);
        }
        if (thrown.getCause() != null) {
            tell(thrown.getCause(), indent, "Caused by: ", frames);
        }
    }

    private String text(StackTraceElement frame) {
        String text = frame.toString();
        String prefix = loader + "//";
        return loader != null && text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    }

    private void add(Kind kind, String line) {
        if (parts.isEmpty() || parts.get(parts.size() - 1).kind() != kind) {
            parts.add(new Part(kind, new ArrayList<>()));
        }
        parts.get(parts.size() - 1).lines().add(line);
    }

    private static int inCommon(StackTraceElement[] frames, StackTraceElement[] around) {
        int common = 0;
        while (common < frames.length
                && common < around.length
                && frames[frames.length - 1 - common].equals(around[around.length - 1 - common])) {
            common++;
        }
        return common;
    }

    /**
     * The kinds of the frames. Frames of the JDK beside frames of the server are folded with them. The first frame is always shown, since
     * the exception was thrown there.
     */
    private static Kind[] kinds(StackTraceElement[] frames, @Nullable String loader) {
        Kind[] kinds = new Kind[frames.length];
        for (int i = 0; i < frames.length; i++) {
            kinds[i] = kind(frames[i], loader);
        }
        if (!Arrays.asList(kinds).contains(Kind.SHOWN)) {
            Arrays.fill(kinds, Kind.SHOWN);
        }
        for (int i = 0; i < frames.length; ) {
            int end = i;
            boolean ofServer = false;
            while (end < frames.length && kinds[end] != Kind.SHOWN) {
                ofServer |= kinds[end] == Kind.SERVER;
                end++;
            }
            Arrays.fill(kinds, i, end, ofServer ? Kind.SERVER : Kind.JDK);
            i = end + 1;
        }
        if (kinds.length > 0 && kinds[0] == Kind.SERVER) {
            kinds[0] = Kind.SHOWN;
        }
        return kinds;
    }

    private static Kind kind(StackTraceElement frame, @Nullable String loader) {
        String name = frame.getClassName();
        boolean ofApplication =
                loader != null && !loader.equals(OF_THE_PROCESS) && loader.equals(frame.getClassLoaderName());
        if (ofApplication || EXAMPLES.stream().anyMatch(name::startsWith)) {
            return Kind.SHOWN;
        }
        if (SERVER.stream().anyMatch(name::startsWith)) {
            return Kind.SERVER;
        }
        return JDK.stream().anyMatch(name::startsWith) ? Kind.JDK : Kind.SHOWN;
    }

    /** The trace as text. Instead of folded frames, one line has their number. */
    public String text() {
        return parts.stream()
                .map(part -> part.kind() == Kind.SERVER ? "\t... " + ofServer(part) : String.join("\n", part.lines()))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** The trace as HTML. A click unfolds folded frames. The frames of the JDK are grey. Empty if there is no trace. */
    public String html() {
        return parts.isEmpty()
                ? ""
                : parts.stream()
                        .map(StackTraces::html)
                        .collect(Collectors.joining("", "<div class=\"trace\">", "</div>\n"));
    }

    private static String html(Part part) {
        String lines = Html.escape(String.join("\n", part.lines()));
        return switch (part.kind()) {
            case SHOWN -> "<pre>" + lines + "</pre>\n";
            case JDK -> "<pre class=\"jdk\">" + lines + "</pre>\n";
            case SERVER ->
                "<details><summary>" + ofServer(part) + "</summary><pre class=\"jdk\">" + lines + "</pre></details>\n";
        };
    }

    private static String ofServer(Part part) {
        int frames = part.lines().size();
        return frames + (frames == 1 ? " frame" : " frames") + " of the server";
    }
}
