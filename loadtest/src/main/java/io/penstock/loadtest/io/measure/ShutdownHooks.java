package io.penstock.loadtest.io.measure;

/** Takes back shutdown hooks. */
final class ShutdownHooks {
    private ShutdownHooks() {}

    /** False if it is too late: the process ends, and the hook runs or has run. */
    static boolean remove(Thread hook) {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException theProcessEnds) {
            return false;
        }
    }
}
