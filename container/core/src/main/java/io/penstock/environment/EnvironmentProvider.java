package io.penstock.environment;

/**
 * Makes the environment of each application, as it is deployed. Thread: any; each deployment on its own.
 *
 * <p>The container's own, {@link #ENTRIES_ONLY}, knows what a descriptor's {@code env-entry}s say and nothing else. A program that
 * embeds the server may hand in one of its own, or that of the optional part for naming.
 */
@FunctionalInterface
public interface EnvironmentProvider {

    /** Environment entries and links between them; any other resource is missing. */
    EnvironmentProvider ENTRIES_ONLY = EntriesOnly::new;

    /**
     * The environment of one application, which closes it as it stops.
     *
     * @throws EnvironmentException with one line that says which declaration cannot be, and why
     */
    Environment open(Declarations declarations) throws EnvironmentException;
}
