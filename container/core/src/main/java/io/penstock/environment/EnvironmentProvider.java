package io.penstock.environment;

/**
 * Makes the environment of each application at its deployment. Thread: any; each deployment on its own.
 *
 * <p>The container's own provider, {@link #ENTRIES_ONLY}, has only the {@code env-entry}s of descriptors. An embedding program may pass a
 * provider of its own, or the provider of the library {@code penstock-naming}.
 */
@FunctionalInterface
public interface EnvironmentProvider {

    /** Environment entries and links between them; any other resource is missing. */
    EnvironmentProvider ENTRIES_ONLY = EntriesOnly::new;

    /**
     * Makes the environment of one application, which closes it when it stops.
     *
     * @throws EnvironmentException with one line that names the invalid declaration and the reason
     */
    Environment open(Declarations declarations) throws EnvironmentException;
}
