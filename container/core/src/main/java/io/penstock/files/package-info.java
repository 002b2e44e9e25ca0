/**
 * The default servlet. It sends the files of a web application, with ranges and validators. It also handles directories and welcome files.
 */
@NullMarked
package io.penstock.files;

import org.jspecify.annotations.NullMarked;
