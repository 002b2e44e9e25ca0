package io.penstock.standalone;

import java.nio.file.Path;

/**
 * One application, and the context at which the server provides the application.
 *
 * @param location the location of the context, in the spelling of {@link io.penstock.address.ContextLocation}
 * @param content a WAR file, an exploded web application or a folder of files
 */
record Application(String location, Path content) {}
