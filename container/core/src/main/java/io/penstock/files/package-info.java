/** The default servlet: files of a web application, their ranges and validators, directories and welcome files. */
@NullMarked
package io.penstock.files;

import org.jspecify.annotations.NullMarked;
