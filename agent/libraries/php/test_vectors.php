<?php

// Runs the shared cases, or those of the file VECTORS: php test_vectors.php
declare(strict_types=1);

require __DIR__ . '/HostdeskLicence.php';

// Another file may hold as many as fit on the disk.
ini_set('memory_limit', '-1');
$text = file_get_contents(getenv('VECTORS') ?: __DIR__ . '/../../vectors.json');
$keys = json_decode($text, true)['keys'];
$wrong = 0;
$cases = json_decode($text)->cases;
foreach ($cases as $case) {
    $answer = json_encode(HostdeskLicence::judge($case->document, ['keys' => $keys] + (array) $case->expected));
    if ($answer !== json_encode($case->answer)) {
        $wrong++;
        fwrite(STDERR, "$case->name: expected " . json_encode($case->answer) . ", got $answer\n");
    }
}
$all = count($cases);
echo $all - $wrong . " of $all\n";
exit($wrong > 0 ? 1 : 0);
