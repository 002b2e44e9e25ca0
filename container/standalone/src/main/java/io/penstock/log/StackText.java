package io.penstock.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Formats a stack trace as lines. If the container called the application, the frames of the container are omitted, because they are the
 * same for each failure. A trace without application code is not shortened.
 */
final class StackText {
    /**
     * The name of the class loader that loads the container and its libraries from the class path. Each application has its own class
     * loader.
     */
    private static final String OF_THE_PROCESS = "app";

    private static final String CONTAINER = "io.penstock.";

    private final List<String> lines = new ArrayList<>();
    private final Set<Throwable> told = Collections.newSetFromMap(new IdentityHashMap<>());

    private StackText() {}

    /** Returns the lines of the trace. The first line is the result of the throwable's {@code toString}. */
    static List<String> of(Throwable thrown) {
        StackText text = new StackText();
        text.tell(thrown, "", "", new StackTraceElement[0]);
        return text.lines;
    }

    private void tell(Throwable thrown, String indent, String what, StackTraceElement[] around) {
        if (!told.add(thrown)) {
            lines.add(indent + what + "[the same again: " + thrown + "]");
            return;
        }
        lines.add(indent + what + thrown);
        StackTraceElement[] frames = thrown.getStackTrace();
        frames(frames, frames.length - inCommon(frames, around), indent);
        for (Throwable suppressed : thrown.getSuppressed()) {
            tell(suppressed, indent + "  ", "Suppressed: ", frames);
        }
        Throwable cause = thrown.getCause();
        if (cause != null) {
            tell(cause, indent, "Caused by: ", frames);
        }
    }

    /** @param own the number of frames that this throwable does not share with the enclosing throwable */
    private void frames(StackTraceElement[] frames, int own, String indent) {
        int shown = endOfApplication(frames, own);
        for (int i = 0; i < shown; i++) {
            lines.add(indent + "  at " + frames[i]);
        }
        if (shown < own) {
            lines.add(indent + "  ... " + (frames.length - shown) + " of the container");
        } else if (own < frames.length) {
            lines.add(indent + "  ... " + (frames.length - own) + " more");
        }
    }

    /**
     * The number of frames to show. Frames after the last frame of the application are omitted if at least one of them belongs to the
     * container.
     */
    private static int endOfApplication(StackTraceElement[] frames, int own) {
        int end = own;
        while (end > 0 && !isOfApplication(frames[end - 1])) {
            end--;
        }
        for (int i = end; i < own && end > 0; i++) {
            if (frames[i].getClassName().startsWith(CONTAINER)) {
                return end;
            }
        }
        return own;
    }

    /**
     * Whether the frame belongs to an application. Classes of the JDK are in named modules. Classes of the container have the class loader
     * {@code app}.
     */
    private static boolean isOfApplication(StackTraceElement frame) {
        return frame.getModuleName() == null && !OF_THE_PROCESS.equals(frame.getClassLoaderName());
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
}
