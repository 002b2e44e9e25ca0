package io.penstock.standalone;

import java.nio.file.Path;

/**
 * What is served, and where.
 *
 * @param contextPath {@code /} or a path such as {@code /shop}
 * @param content a WAR file, an exploded web application or a folder of files
 */
record Application(String contextPath, Path content) {}
