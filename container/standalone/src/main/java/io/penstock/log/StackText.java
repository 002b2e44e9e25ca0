package io.penstock.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Formats a stack trace in lines, without the container's frames that called the application, since these are the same for each failure. A
 * trace without application code is not shortened.
 */
final class StackText {
    /** The name of the loader of the process's class path: container, engines and APIs. Each application has its own class loader. */
    private static final String OF_THE_PROCESS = "app";

    private static final String CONTAINER = "io.penstock.";

    private final List<String> lines = new ArrayList<>();
    private final Set<Throwable> told = Collections.newSetFromMap(new IdentityHashMap<>());

    private StackText() {}

    /** The first line is the throwable's {@code toString}. */
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

    /** @param own frames that this throwable does not share with the enclosing one */
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
     * The number of frames to show. Frames after the application's last frame are the container's if at least one of them has a class of
     * the container.
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

    /** Whether the frame belongs to an application: not to the platform, whose classes are in modules, and not to the process. */
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
