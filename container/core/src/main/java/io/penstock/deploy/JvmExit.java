package io.penstock.deploy;

import io.penstock.spool.OwnedFolder;
import java.io.IOException;

/**
 * The end of the JVM, as far as applications must not notice it too early. Applications may have shutdown hooks of their own. The JVM runs
 * them beside the hook that stops the server, so they may need classes when the server has stopped already. Therefore the class loader of
 * an application stays open when the JVM ends, and its files are deleted after all hooks.
 */
final class JvmExit {
    private JvmExit() {}

    /** Whether the shutdown hooks of the JVM run. Thread: any. */
    static boolean hasBegun() {
        Thread probe = new Thread(null, () -> {}, "penstock-exit-probe", 0, false);
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException theJvmEnds) {
            return true;
        }
    }

    /** Deletes the folder of an application: now, or after the shutdown hooks if the JVM ends. */
    static void delete(OwnedFolder folder) throws IOException {
        if (hasBegun()) {
            folder.closeAfterHooks();
        } else {
            folder.close();
        }
    }
}
