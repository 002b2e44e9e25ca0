package io.penstock.standalone;

import java.nio.file.Path;

/**
 * One application, and the context at which the server provides the application.
 *
 * @param place the place of the context, in the spelling of {@link io.penstock.limits.ContextPlace}
 * @param content a WAR file, an exploded web application or a folder of files
 */
record Application(String place, Path content) {}
