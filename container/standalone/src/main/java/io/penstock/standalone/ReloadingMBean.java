package io.penstock.standalone;

/** The operations of {@link Reloading} for a management console. */
public interface ReloadingMBean {
    /** The first word of an answer if nothing has changed; the reason follows. */
    String REFUSED = "refused";

    /**
     * The first word of an answer if all settings were applied that can change at run time. The names of the settings that need a restart
     * follow.
     */
    String RELOADED = "reloaded";

    /** Reads the configuration again, with the files that it names. Applies all changes or none. */
    String[] reload();
}
