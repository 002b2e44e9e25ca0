package io.penstock.standalone;

/** The operations of {@link Reloading} for a management console. */
public interface ReloadingMBean {
    /** The first element of the answer if the reload was refused and nothing has changed. The next element is the reason. */
    String REFUSED = "refused";

    /**
     * The first element of the answer if the reload has succeeded. All settings that can change at run time are applied. The next elements
     * are the changed settings that need a restart.
     */
    String RELOADED = "reloaded";

    /** Reads the configuration again, and the files that the configuration names. Applies all changes, or none if there is an error. */
    String[] reload();
}
