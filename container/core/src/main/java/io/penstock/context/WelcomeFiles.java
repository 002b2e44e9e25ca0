package io.penstock.context;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The welcome files of a context (Servlet 6.1, section 10.10).
 *
 * @param names the partial paths in order, without a slash at the start or the end
 */
public record WelcomeFiles(List<String> names) {

    public WelcomeFiles {
        names = List.copyOf(names);
        for (String name : names) {
            if (name.isEmpty() || name.startsWith("/") || name.endsWith("/")) {
                throw new IllegalArgumentException("welcome file must have no slash at either end: " + name);
            }
        }
    }

    public static WelcomeFiles defaults() {
        return new WelcomeFiles(List.of("index.html", "index.htm"));
    }

    /**
     * The path of the welcome file for a directory. This is the first welcome file that exists. If no welcome file exists, the first
     * welcome file that is mapped to a servlet is used. Null if there is no such welcome file.
     *
     * @param directory the path of the directory within the context; it ends with {@code /}
     */
    public @Nullable String find(String directory, Predicate<String> isResource, Predicate<String> isServlet) {
        String found = first(directory, isResource);
        return found != null ? found : first(directory, isServlet);
    }

    private @Nullable String first(String directory, Predicate<String> wanted) {
        for (String name : names) {
            String path = directory + name;
            if (wanted.test(path)) {
                return path;
            }
        }
        return null;
    }
}
