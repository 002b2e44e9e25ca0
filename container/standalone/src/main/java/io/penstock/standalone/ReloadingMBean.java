package io.penstock.standalone;

/** What a management console may ask of {@link Reloading}. */
public interface ReloadingMBean {
    /** The first word of an answer if nothing has changed; the reason follows. */
    String REFUSED = "refused";

    /** The first word of an answer if all that can change has changed; the names of the settings that need a restart follow. */
    String RELOADED = "reloaded";

    /** Reads the configuration again, with the files that it names. All or nothing. */
    String[] reload();
}
